"""Keep keys and passwords out of specs, which are stored with a run and shown."""

import re

from models.errors import SpecError

LOGIN = re.compile(
    r"//[^/?#\s]*@|:[^\s:/@?#]+:[^\s/@]+@(?!sha256:)|:[^\s:/@?#]+@(?!sha256:)[^\s:/@]+:\d"
)
"""`user:password@host`; a model's digest (`name:tag@sha256:...`) is none."""
KEY = re.compile(
    r"(?i)(?:key|token|secret|passwo?r?d|passphrase|bearer|credentials?|authorization)\s*="
    r"|\b(?:[spr]k-[\w-]{16,}|(?:hf|gsk|ghp)_\w{16,})"
)
"""A setting named like a key, or a text that looks like one; `max_tokens=` is not."""
VARIABLES = "OPENAI_API_KEY, LLAMA_API_KEY or SMOLVILLE_API_KEY"
"""Where the keys of servers come from; a class of a vendor reads its own variable."""


def refuse_secrets(text: str, what: str = "The model spec") -> None:
    """Raise SpecError when a spec holds a key or a password; the sentence does not repeat it."""
    if KEY.search(text) or LOGIN.search(text):
        raise SpecError(
            f"{what} holds a key or a password. Specs are stored and shown, so take it out "
            f"and set it in the environment ({VARIABLES})."
        )
