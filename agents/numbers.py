"""Format numbers for people: shares without misleading rounding, thousands, plurals."""


def percent(part: float, whole: float, digits: int = 1, gap: str = " ") -> str:
    """Return a share as `93.1 %`; a small one is never shown as 0, one below 100 never as 100."""
    if not whole:
        return f"-{gap}%"
    share = 100 * part / whole
    least = 10**-digits
    if 0 < share < least:
        return f"<{gap}{least:.{digits}f}{gap}%"
    if 100 - least < share < 100:
        return f">{gap}{100 - least:.{digits}f}{gap}%"
    return f"{share:.{digits}f}{gap}%"


def thousands(number: int) -> str:
    """Return a number of tokens in at most five characters, `9.9k`, `120k`, `1.2M`."""
    if number < 1_000:
        return str(number)
    if number < 999_500:
        return f"{number / 1_000:.1f}k" if number < 99_950 else f"{number / 1_000:.0f}k"
    return f"{number / 1_000_000:.1f}M"


def many(number: int, word: str, words: str = "") -> str:
    """Return a number with its noun: `1 call`, `1,204 calls`."""
    return f"{number:,} {word if number == 1 else words or f'{word}s'}"
