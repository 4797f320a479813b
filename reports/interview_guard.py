"""Keeps interviews in character: finds questions that a person declines, by rule.

Small models obey: asked to be somebody else, they are; asked how to rob a shop, they explain it. So
questions of three kinds are declined before any model is asked: to speak as somebody else (or to
step out of character), about hurting oneself, and for help with a crime. A rule of the prompt
`answer_interview` covers other wordings.

Limitations: The rules know English words. A question that only paraphrases its aim passes, and is
left to the model. What others did ("Who stole the bicycle?") is not declined.
"""

import re
from collections.abc import Mapping
from typing import Literal

Danger = Literal["part", "self-harm", "crime"]

DECLINED: Mapping[Danger, str] = {
    "part": "I am {name} and nobody else, so I can only answer for myself.",
    "self-harm": "I do not want to talk about hurting oneself. If this is about you, please tell "
    "somebody whom you trust, or call a doctor, today.",
    "crime": "That would harm people or break the law. I will not help with it.",
}
"""The answer with which a person declines, by what the question asks for."""

_ASKED = (
    r"(?:^|[.!?,;:]\s*|\b(?:please|now|then|just|and|but|instead|you to|can you|could you|will you"
    r"|would you|let us|let's|must|should)\s+)"
)
_PART = re.compile(
    _ASKED + r"(?:pretend|imagine|role-?play)\b.{0,12}\b(?:you|to be|that|as|being)\b"
    rf"|{_ASKED}(?:speak|talk|answer|respond|reply|act|behave|write|say it|play)\s"
    r"(?:(?:to me|only|this|it|me)\s)?(?:as|like)\s(?:if|though|an?\b|the\b|(?-i:[A-Z]))"
    r"|\b(?:from now on|henceforth)\b.{0,20}\byou\b"
    r"|\byou(?:'re| are) (?:now (?!\d)|no longer\b|not really\b)"
    r"|\b(?:ignore|forget|disregard|override)\b.{0,30}"
    r"\b(?:instructions?|rules?|prompts?|character|role|persona|everything (?:above|before))\b"
    r"|\b(?:system|hidden|initial|original) prompt\b|\bjailbr[eo]ak|\bdeveloper mode\b"
    r"|\b(?:drop|break|leave|quit|out of)\b.{0,12}\b(?:character|the role|your role|the act)\b"
    r"|\bare you (?:really )?an? (?:ai|a\.i\.|bot|chat ?bot|language model|program|machine|robot)\b"
    r"|\b(?:as an ai|as a language model|which (?:language )?model are you)\b",
    re.IGNORECASE,
)
_SELF = r"(?:yourself|myself|himself|herself|themselves|ourselves|oneself)"
_SELF_HARM = re.compile(
    rf"\b(?:kill|killing|hang|hanging|drown|drowning|shoot|shooting|starve|starving)\s{_SELF}\b"
    r"|\bsuicid|\bself-?harm|\bwant(?:s|ed)? to die\b|\bbetter off dead\b"
    r"|\b(?:end|take|ending|taking)\s(?:my|your|his|her|their|one's) (?:own )?life\b"
    r"|\b(?:how|ways?|want|wants|like|should|going|plan|try|why not|feel)\b"
    rf".{{0,30}}\b(?:hurt|harm|cutt?|poison)(?:ing)?\s{_SELF}\b",
    re.IGNORECASE,
)
_CRIME = re.compile(
    r"\b(?:how (?:to|do i|do you|do we|can|could|would|should|might)|help (?:me|us)|teach (?:me|us)"
    r"|show (?:me|us) how|tell (?:me|us) how|explain|step by step|recipe|instructions|best way"
    r"|easiest way|ways? to|let us|let's|want you to|will you|would you|can you|could you)\b"
    r".{0,60}\b(?:(?:make|build|buy|get|cook|sell|brew)\b.{0,15}\b(?:bomb|explosive|meth\b"
    r"|cocaine|heroin|illegal drugs|drugs|gun\b|weapon)"
    r"|poison (?:some|him|her|them|the|my|an?\b|(?-i:[A-Z]))|murder|kill (?!time)|strangle|stab"
    r"|steal|rob\b|burgle|break into|shoplift|forge"
    r"|launder|smuggle|blackmail|kidnap|arson|burn down|set fire to|hack into|pick (?:a|the) lock"
    r"|rape|molest|torture|evade tax|get away with)",
    re.IGNORECASE,
)
_FICTION = re.compile(
    r"\b(?:mystery|novel|story|film|movie|play|game|song|chapter|weeds?|slugs|aphids|moths|germs"
    r"|mould|smell)\b",
    re.IGNORECASE,
)
"""Words that show that a crime is part of a story, or that a garden is meant."""


def find_danger(question: str) -> Danger | None:
    """Return why a question is declined; None if it may be asked."""
    text = " ".join(question.replace("’", "'").split())
    if _SELF_HARM.search(text):
        return "self-harm"
    if _CRIME.search(text) and not _FICTION.search(text):
        return "crime"
    return "part" if _PART.search(text) else None


def decline(danger: Danger, name: str) -> str:
    """Return a person's answer to a question that they decline."""
    return DECLINED[danger].format(name=name)
