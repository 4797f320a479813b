"""The frame of a day: what stands in it, by the persona's own words, before a model is asked."""
