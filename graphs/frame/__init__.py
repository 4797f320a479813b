"""The frame of a day: the parts that the persona's own words fix before a model is asked."""
