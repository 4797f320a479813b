"""Recognise sleep and bedtime in the words of a reply."""

import re

_SLEEP = re.compile(
    r"\b(?:sleep\w*|asleep|slumber\w*|in bed"
    r"|(?:go(?:es|ing)?|gone|went|off|get(?:s|ting)?|head(?:s|ing)?|back|retir\w+)"
    r" (?:(?:in)?to )?(?:(?:his|her|my|your|their|the) )?bed)\b"
    r"|^\W*bed(?:[- ]?time)?\W*$",
    re.IGNORECASE,
)


def is_sleep(activity: str) -> bool:
    """Return whether the activity is sleeping or going to bed."""
    return _SLEEP.search(activity) is not None
