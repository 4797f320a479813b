"""The frame of a day: the parts that the persona itself fixes before a model is asked."""
