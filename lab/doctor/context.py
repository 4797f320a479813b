"""Probe: the longest prompt that arrives whole, computed from the server's own token counts.

Two short prompts that repeat the same sentence show how many tokens one repetition takes. From then
on the length of a prompt is known before it is sent, and the number of tokens that the server
reports as read shows whether all of it arrived. Each prompt begins with a number of its own, so
that no part of it is served from a prefix cache and left out of the count.
"""

import asyncio
import time
from dataclasses import dataclass, field

from langchain_core.messages import BaseMessage, HumanMessage

from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES, STEPS
from smolville.lab.doctor.bounded import SAFE
from smolville.lab.doctor.findings import ContextFound, Passing, PromptProbe
from smolville.models.chat import Chat
from smolville.models.errors import PromptCut, TransportError
from smolville.models.tokens import estimate_prompt
from smolville.prompts.prompt import TemplateSet, shipped_templates

SENTENCE = "Rosa walks to the park and Milo waits at the gate. "
FEW, MORE = 4, 24
"""Numbers of repetitions in the two short prompts."""
REPLY_TOKENS = 8
NEAR = 0.94
"""Length of the longest prompt tried, as a share of the context."""
SHORT = 0.9
"""A prompt counts as cut when the server read less than this share of the tokens sent."""
MOST_TRIES = 5
UNKNOWN_CONTEXT = 8192
"""Context assumed, in tokens, when neither the server nor the settings give its length."""


def fresh_number() -> int:
    """Return a six-digit number that another examination is unlikely to use."""
    return time.time_ns() // 1000 % 800_000 + 100_000


@dataclass(kw_only=True)
class PromptRuler:
    """Builds prompts of a known number of tokens, and records how each one arrived."""

    chat: Chat
    a_sentence: float = 0.0
    """Tokens of one repetition of the sentence."""
    around: float = 0.0
    """Tokens of everything in a prompt besides the repetitions."""
    per_second: float | None = None
    """Prompt tokens that the server reads per second, measured with the most recent prompt."""
    number: int = field(default_factory=fresh_number)
    """The number at the beginning of the most recent prompt."""
    tries: list[PromptProbe] = field(default_factory=list)

    async def calibrate(self) -> bool:
        """Measure the tokens of one repeat of the filler; return False if none are reported."""
        few = await self._ask(FEW)
        more = await self._ask(MORE)
        if few is None or more is None or more <= few:
            return False
        self.a_sentence = (more - few) / (MORE - FEW)
        self.around = few - self.a_sentence * FEW
        return True

    @property
    def longest(self) -> float:
        """Tokens of the longer of the two calibration prompts."""
        return self.around + self.a_sentence * MORE

    async def send(self, tokens: int) -> PromptProbe:
        """Send a prompt of about `tokens` tokens, and return how it arrived."""
        repeated = max(1, int((tokens - self.around) / self.a_sentence))
        sent = round(self.around + self.a_sentence * repeated)
        counted: int | None = None
        try:
            counted = await self._ask(repeated)
        except PromptCut as error:
            outcome: Passing = "refused"
            # A server that cuts silently does not report a limit.
            if self.chat.cuts_in_silence:
                outcome = "cut"
            counted = error.available if outcome == "refused" else None
        except TransportError:
            outcome = "lost"
        else:
            outcome = "whole" if counted is None or counted >= sent * SHORT else "cut"
        found = PromptProbe(sent=sent, counted=counted, outcome=outcome)
        self.tries.append(found)
        return found

    async def _ask(self, repeated: int) -> int | None:
        """Return the server's token count of a prompt with `repeated` repetitions."""
        self.number += 1
        text = f"Note {self.number}. {SENTENCE * repeated}Answer with one word: yes."
        asked: list[BaseMessage] = [HumanMessage(text)]
        started = time.perf_counter()
        reply = await self.chat.ask(asked, max_tokens=REPLY_TOKENS)
        seconds = (reply.prompt_ms or 1000 * (time.perf_counter() - started)) / 1000
        if reply.prompt_tokens and seconds > 0:
            self.per_second = reply.prompt_tokens / seconds
        return reply.prompt_tokens


async def probe_context(
    chat: Chat, seconds: float, templates: TemplateSet | None = None
) -> ContextFound:
    """Return the longest prompt that arrived whole, found within `seconds`."""
    until = time.perf_counter() + SAFE * seconds
    needed = await longest_sample(templates or shipped_templates())
    ruler = PromptRuler(chat=chat)
    if not await ruler.calibrate():
        return ContextFound(
            num_ctx=chat.num_ctx, needed=needed, problem="the server does not count prompts' tokens"
        )
    context = chat.num_ctx or UNKNOWN_CONTEXT
    wanted = int(context * NEAR) - REPLY_TOKENS
    bound = int((ruler.per_second or 1e9) * max(0.0, until - time.perf_counter()) * 0.6)
    if bound < ruler.longest:
        return ContextFound(
            num_ctx=chat.num_ctx,
            needed=needed,
            prompt_tokens_per_second=ruler.per_second,
            stopped_early=True,
            problem="prompts are read so slowly that there was no time for a long one",
        )
    is_late = await _tried_until(ruler, min(wanted, bound), until)
    whole = [each.sent for each in ruler.tries if each.outcome == "whole"]
    bad = [each for each in ruler.tries if each.outcome in ("cut", "refused")]
    is_known = bool(ruler.tries) and ruler.tries[0].outcome != "lost"
    return ContextFound(
        num_ctx=chat.num_ctx,
        needed=needed,
        largest=max(whole, default=None),
        is_cut=bool(bad) if is_known else None,
        tries=tuple(ruler.tries),
        prompt_tokens_per_second=ruler.per_second,
        stopped_early=is_late or bound < wanted,
    )


async def _tried_until(ruler: PromptRuler, size: int, until: float) -> bool:
    """Run `_try_down` until time `until`; return True if it was not finished by then."""
    try:
        async with asyncio.timeout(until - time.perf_counter()):
            await _try_down(ruler, size)
    except TimeoutError:
        return True
    return False


async def _try_down(ruler: PromptRuler, size: int) -> None:
    """Send shorter and shorter prompts until a prompt arrives whole or its call is lost."""
    for _ in range(MOST_TRIES):
        found = await ruler.send(size)
        if found.outcome in ("whole", "lost"):
            return
        if found.counted is not None:
            size = min(int(found.counted * NEAR), int(size * SHORT))
        else:
            size //= 2
        if size < ruler.around + ruler.a_sentence:
            return


async def longest_sample(templates: TemplateSet) -> int:
    """Return the tokens of the program's longest sample prompt together with its reply."""
    longest = 0
    for step in STEPS:
        for samples in (SAMPLES, OTHER_SAMPLES):
            messages = await templates.prompt(step).ainvoke(samples[step.name])
            longest = max(longest, estimate_prompt(messages) + step.max_tokens)
    return longest
