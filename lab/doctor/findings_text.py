"""The findings as sentences, in the order in which a reader wants to know them."""

from collections.abc import Iterator

from smolville.lab.doctor.findings import DoctorFinding, Findings, Mark, ModelSeen, ServerSeen

TITLES = {"ollama": "Ollama", "llamacpp": "llama.cpp's server"}
LISTED = 12
"""Maximum number of models listed."""


def format_findings(found: Findings) -> tuple[DoctorFinding, ...]:
    """Return all findings as sentences with their marks."""
    absent: Mark = "note" if found.usable else "bad"
    told = [
        DoctorFinding(probe="servers", mark="good" if each.answers else absent, text=_server(each))
        for each in found.servers
    ]
    told.append(model_finding(found))
    if found.usable and not found.model.is_standin:
        told += [
            *_template(found),
            *_thinking(found),
            *_schema(found),
            *_context(found),
            *_speed(found),
        ]
    if found.embedder.spec or found.embedder.problem:
        told.append(_embedder(found))
    return (*told, *_estimate(found), *measured_findings(found))


def measured_findings(found: Findings) -> Iterator[DoctorFinding]:
    """Yield the findings of a measurement of how the model plans days."""
    measured = found.measured
    if measured is None:
        return
    if not measured.asked:
        yield _unknown("measured", "nothing was planned yet")
        return
    for each in measured.comparisons:
        mark: Mark = "note" if each.verdict in ("same", "untold", "broken off") else "good"
        text = f"{each.setting}, {measured.days} days planned with each: {each.told}."
        yield DoctorFinding(probe="measured", mark=mark, text=text)


def _mark(is_good: bool | None) -> Mark:
    """Return the mark for yes, no, or unknown."""
    return {True: "good", False: "bad", None: "unknown"}[is_good]  # type: ignore[return-value]


def _server(seen: ServerSeen) -> str:
    title = f"{TITLES[seen.kind]} at {seen.url}"
    if not seen.answers:
        return seen.problem if seen.url in seen.problem else f"{title}: {seen.problem}"
    chats = [_format_model_name(model) for model in seen.models if model.chats]
    embeds = [_format_model_name(model) for model in seen.models if model.embeds]
    more = f" and {len(chats) - LISTED} more" if len(chats) > LISTED else ""
    version = f" (version {seen.version})" if seen.version else ""
    chatting = f"chat: {', '.join(chats[:LISTED])}{more}" if chats else "no chat model"
    embedding = f"embed: {', '.join(embeds)}" if embeds else "no embedding model"
    slots = f"; {seen.slots} slots of {seen.num_ctx} tokens" if seen.slots else ""
    return f"{title}{version} answers; {chatting}; {embedding}{slots}."


def _format_model_name(model: ModelSeen) -> str:
    """Return a model's name with its size."""
    told = " ".join(filter(None, (model.parameters, model.quantization)))
    return f"{model.name} ({told})" if told else model.name


def model_finding(found: Findings) -> DoctorFinding:
    """Return the finding on the model, or on why there is none."""
    model = found.model
    if model.is_standin:
        text = "The stand-in is no model: it answers by rules, at once, and needs no looking after."
        return DoctorFinding(probe="model", mark="note", text=text)
    if not found.usable:
        text = model.problem or "No chat model answers on this machine."
        if found.asked is None and any(each.answers for each in found.servers):
            text = model.problem or "A server answers, and has no chat model."
        return DoctorFinding(probe="model", mark="bad", text=text)
    if not model.wrote and found.schema.problem:
        text = f"{model.name} on {model.server} answers; its first reply was empty."
        return DoctorFinding(probe="model", mark="unknown", text=text)
    told = ", ".join(filter(None, (model.parameters, model.quantization)))
    trained = f", trained for {model.context_length} tokens" if model.context_length else ""
    gpu = (
        f"; {model.gpu_share:.0%} of it in the GPU's memory" if model.gpu_share is not None else ""
    )
    first = f"; the first call took {model.first_seconds:.1f} s" if model.first_seconds else ""
    text = f"{model.name}{f' ({told})' if told else ''} on {model.server}{trained}{gpu}{first}."
    return DoctorFinding(probe="model", mark="good", text=text)


def _template(found: Findings) -> Iterator[DoctorFinding]:
    template = found.template
    if template.problem:
        yield _unknown("template", template.problem)
        return
    system = {
        True: "It takes a system role.",
        False: "It has no system role; the rules go into the first question.",
        None: "Whether it takes a system role is not known.",
    }[template.system_role]
    turns = {
        True: "It insists on alternating roles, which prompts and repairs here have.",
        False: "It does not insist on alternating roles.",
        None: "Whether it insists on alternating roles is not known.",
    }[template.alternates]
    mark: Mark = "note" if template.system_role is False or template.alternates else "good"
    yield DoctorFinding(probe="template", mark=mark, text=f"{system} {turns}")


def _thinking(found: Findings) -> Iterator[DoctorFinding]:
    thinking = found.thinking
    if thinking.problem:
        yield _unknown("thinking", thinking.problem)
    elif not thinking.thinks:
        yield DoctorFinding(probe="thinking", mark="good", text="It does not think aloud.")
    elif thinking.switches_off:
        text = "It can think aloud, and stops when told to, as it is here."
        yield DoctorFinding(probe="thinking", mark="good", text=text)
    else:
        text = "It thinks aloud even when it is told not to; that is stripped, and costs time."
        yield DoctorFinding(probe="thinking", mark="bad", text=text)


def _schema(found: Findings) -> Iterator[DoctorFinding]:
    schema = found.schema
    if schema.problem:
        yield _unknown("schema", schema.problem)
        return
    held = schema.honoured_against_prompt
    text = {
        True: "A JSON schema is honoured, also when the prompt asks for something else.",
        False: "A JSON schema is not honoured: asked for a poem, it wrote no JSON of that shape.",
        None: "A reply under a JSON schema did not end within its allowance.",
    }[held]
    if schema.by_itself is not None:
        unheld = "writes" if schema.by_itself else "does not write"
        text += f" Not held to it, the model {unheld} such JSON by itself."
    yield DoctorFinding(probe="schema", mark=_mark(held), text=text)
    if schema.fits_never:
        wrote = next(filter(None, schema.replies), "")
        such = f", such as {wrote!r}" if wrote else ": they were empty"
        yield DoctorFinding(
            probe="answers",
            mark="bad",
            text=f"None of its replies is the JSON that it was asked for{such}. In a town most of "
            "its steps would end in their fallbacks: take another model.",
        )


def _context(found: Findings) -> Iterator[DoctorFinding]:
    context = found.context
    needed = ""
    if context.needed is not None:
        needed = f" The longest sample prompt with its reply needs about {context.needed}."
    if context.problem or not context.tries:
        yield _unknown("context", (context.problem or "nothing was tried") + "." + needed)
        return
    asked = context.num_ctx or "an unknown number of"
    if context.is_cut:
        worst = context.tries[0]
        how = "cut without a word" if worst.outcome == "cut" else "refused"
        got = f" ({worst.counted} counted)" if worst.counted else ""
        text = (
            f"Of {asked} tokens announced, a prompt of {worst.sent} was {how}{got}; the longest "
            f"that came through whole had {context.largest or 0}."
        )
    else:
        text = f"A prompt of {context.largest} tokens came through whole, of {asked}."
        if context.stopped_early:
            text += " A longer one would have taken too long to try."
    is_enough = (context.largest or 0) >= (context.needed or 0) or not context.is_cut
    mark: Mark = "bad" if context.is_cut else "good"
    yield DoctorFinding(probe="context", mark=mark if is_enough else "bad", text=text + needed)


def _speed(found: Findings) -> Iterator[DoctorFinding]:
    speed = found.speed
    if not speed.rounds:
        yield _unknown("speed", speed.problem or "nothing was measured")
        return
    rates = ", ".join(f"{each.tokens_per_second:g} at {each.in_flight}" for each in speed.rounds)
    reading = found.context.prompt_tokens_per_second
    read = f" Prompts are read at {reading:.0f} tokens a second." if reading else ""
    stopped = f" ({speed.problem})" if speed.problem else ""
    text = (
        f"Tokens a second by calls in flight: {rates}{stopped}. {speed.pays} at a time "
        f"{'pays' if speed.pays == 1 else 'pay'}; the town sends {found.model.slots}.{read}"
    )
    yield DoctorFinding(probe="speed", mark="good", text=text)
    if speed.cached_share is None:
        text = "The server does not tell what comes out of its prefix cache."
        if speed.problem:
            text = "The server does not report its prefix cache, or there was no time for that."
        yield DoctorFinding(probe="cache", mark="unknown", text=text)
        return
    text = f"After the same step of somebody else, {speed.cached_share:.0%} of a prompt was cached."
    yield DoctorFinding(
        probe="cache", mark="good" if speed.cached_share >= 0.2 else "note", text=text
    )


def _embedder(found: Findings) -> DoctorFinding:
    embedder = found.embedder
    if not embedder.spec:
        return _unknown("embedder", embedder.problem)
    if embedder.spec == "words":
        text = "Nothing here makes vectors; memories would be compared by their words."
        return DoctorFinding(probe="embedder", mark="note", text=text)
    text = (
        f"{embedder.spec} gives {embedder.dimension} numbers a text, "
        f"16 sentences in {embedder.milliseconds:.0f} ms."
    )
    return DoctorFinding(probe="embedder", mark="good", text=text)


def _estimate(found: Findings) -> Iterator[DoctorFinding]:
    for day in found.estimate:
        text = (
            f"A town day of {day.agents} people: {_format_duration(day.minutes)} "
            f"({day.calls} calls), {_format_duration(day.minutes_one_at_a_time)} one call at "
            "a time. A lower bound: repairs come on top."
        )
        yield DoctorFinding(probe="estimate", mark="note", text=text)


def _format_duration(minutes: float) -> str:
    """Return a duration in words."""
    if minutes < 1:
        return "under a minute"
    if minutes < 90:
        return f"about {minutes:.0f} min"
    return f"about {minutes / 60:.1f} h"


def _unknown(probe: str, problem: str) -> DoctorFinding:
    """Return the finding of a probe that found no answer."""
    return DoctorFinding(probe=probe, mark="unknown", text=f"Could not be found out: {problem}")
