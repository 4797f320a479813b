"""Settings of the stand-in: the arguments of its spec."""

from collections.abc import Mapping
from dataclasses import dataclass, field

MISTAKES = (
    "fences",
    "chatter",
    "missing",
    "wrong_choice",
    "truncation",
    "single_quotes",
    "trailing_comma",
    "out_of_range",
    "loop",
    "sum",
    "think",
    "wrapper",
    "python",
)
"""The kinds of mistakes that share the rate of `mistakes`: all that a reader can notice."""
KINDS = (*MISTAKES, "extra", "hour", "copied", "placeless", "forgotten")
"""Every kind of mistake that it can make (`models.standin.mistakes`)."""
_SWITCHES = {"0": False, "1": True, "no": False, "yes": True, "false": False, "true": True}
_OTHERS = ("mistakes", "kinds", "sticky", "seed", "grounded")


@dataclass(frozen=True)
class StandInSettings:
    """The settings in a spec such as `standin:mistakes=0.2,seed=7,sticky=1`."""

    seed: int = 0
    rates: Mapping[str, float] = field(default_factory=dict)
    """For each kind of mistake, the share of first answers in which it is made."""
    sticky: bool = True
    """Whether a mistake returns until the repair message names it."""
    grounded: bool = True
    """Whether an answer that uses something not in the messages is an error."""


def read_settings(args: Mapping[str, str], seed: int) -> StandInSettings:
    """Return the settings in `args`. Raises ValueError with a sentence for an invalid one.

    `mistakes` is divided evenly among all kinds, or those in `kinds` (joined by `+`); a kind's own
    name sets its rate.
    """
    known = (*_OTHERS, *KINDS)
    for name in args:
        if name not in known:
            raise ValueError(f"the stand-in has no setting {name!r}; it knows {', '.join(known)}")
    overall = _share("mistakes", args.get("mistakes", "0"))
    kinds = _kinds(args.get("kinds", ""))
    rates = {kind: overall / len(kinds) for kind in kinds if overall}
    rates |= {kind: _share(kind, args[kind]) for kind in KINDS if kind in args}
    rates = {kind: rate for kind, rate in rates.items() if rate > 0}
    if sum(rates.values()) > 1.000001:
        raise ValueError("the stand-in's rates of mistakes add up to more than 1; lower them")
    return StandInSettings(
        seed=_read_whole_number("seed", args["seed"]) if "seed" in args else seed,
        rates=rates,
        sticky=_switch("sticky", args.get("sticky", "1")),
        grounded=_switch("grounded", args.get("grounded", "1")),
    )


def _kinds(text: str) -> tuple[str, ...]:
    """Return the kinds that share the overall rate; all kinds if none is named."""
    kinds = tuple(filter(None, (part.strip() for part in text.split("+"))))
    for kind in kinds:
        if kind not in KINDS:
            raise ValueError(f"the stand-in makes no mistake {kind!r}; it knows {', '.join(KINDS)}")
    return kinds or MISTAKES


def _share(name: str, text: str) -> float:
    """Return a setting's value as a number from 0 to 1."""
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ValueError(f"the stand-in's {name}={text} is no share; write a number from 0 to 1")
    return share


def _switch(name: str, text: str) -> bool:
    """Return a setting's value as on (True) or off (False)."""
    if text.lower() not in _SWITCHES:
        raise ValueError(f"the stand-in's {name}={text} is no switch; write 0 or 1")
    return _SWITCHES[text.lower()]


def _read_whole_number(name: str, text: str) -> int:
    """Return a setting's value as a whole number."""
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"the stand-in's {name}={text} is no whole number") from None
