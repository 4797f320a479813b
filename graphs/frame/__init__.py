"""The frame of a day: what the persona's own words fix before a model is asked."""
