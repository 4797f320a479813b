"""The doctor's advice: what to do next, with a command to copy if there is one."""

import shlex
from collections.abc import Iterator
from urllib.parse import urlsplit

from smolville.lab.doctor.findings import Advice, Findings
from smolville.lab.doctor.settings_text import LEAST_CONTEXT, WISHED_CONTEXT
from smolville.models.embedding.embedder import BUILT_IN, QUICK
from smolville.models.open import SUGGESTED, machine_memory
from smolville.models.servers.address import LLAMACPP_URL
from smolville.models.size import warn_if_small

EMBEDDER = "nomic-embed-text"
MORE_SLOTS = 4
STANDIN = Advice(
    text="To see a town without any model, with the built-in stand-in:",
    command="smolville run --model standin",
)


def advise(found: Findings) -> tuple[Advice, ...]:
    """Return the advice, most important first."""
    if found.model.is_standin:
        return tuple(_to_get_a_model(found))
    if not found.usable and _may_pass(found):
        return tuple(_to_look_again(found))
    if not found.usable:
        return (*_to_mend(found), *_to_get_a_model(found), STANDIN)
    return (
        *_about_size(found),
        *_about_context(found),
        *_about_answers(found),
        *_about_speed(found),
        *_about_embedder(found),
        Advice(text="Then:", command=f"smolville try-model {found.model.spec}"),
    )


def _may_pass(found: Findings) -> bool:
    """Return whether a usable model may become available after a while."""
    servers = found.asked is None and any(server.may_pass for server in found.servers)
    return found.model.may_pass or servers


def _to_look_again(found: Findings) -> Iterator[Advice]:
    """Yield advice for a server that is running but does not answer at the moment."""
    words = ["smolville", "doctor", *(["--model", found.asked] if found.asked else [])]
    yield Advice(
        text="The server is there and does not answer now: it may be busy, or still loading the "
        "model. Look again in a minute or two:",
        command=shlex.join(words),
    )


def _to_mend(found: Findings) -> Iterator[Advice]:
    """Yield advice on what is wrong with the model that was explicitly requested."""
    ollama = found.server("ollama")
    name = found.model.spec.removeprefix("ollama:").partition("?")[0]
    if found.asked is None or name == found.model.spec or ollama is None or not ollama.answers:
        return
    installed = {model.name for model in ollama.models}
    if not installed & {name, f"{name}:latest"}:
        yield Advice(
            text=f"Ollama answers and does not have {name}. Get it, or let "
            f"`smolville doctor --model ollama:{name} --pull` do it:",
            command=f"ollama pull {name}",
        )


def _to_get_a_model(found: Findings) -> Iterator[Advice]:
    """Yield the ways to get a first model."""
    ollama = found.server("ollama")
    models = ollama.models if ollama is not None else ()
    failed = found.model.spec.removeprefix("ollama:").partition("?")[0]
    others = [each for each in models if each.name not in (failed, f"{failed}:latest")]
    chats = [each.name for each in others if each.chats]
    if ollama is not None and ollama.answers:
        if not chats and found.asked is None:
            yield Advice(
                text="Ollama answers and has no chat model. Get a small one, or let "
                "`smolville doctor --pull` do it:",
                command=f"ollama pull {SUGGESTED}",
            )
        elif chats:
            several = f"{len(chats)} chat models; to look at the newest"
            yield Advice(
                text=f"Ollama answers and has {several if chats[1:] else 'a chat model'}:",
                command=f"smolville doctor --model ollama:{chats[0]}",
            )
    else:
        yield Advice(
            text="With Ollama: install it, start it, and get a small model. OLLAMA_HOST says where "
            "it listens if that is not the usual port.",
            command=f"ollama serve & ollama pull {SUGGESTED}",
        )
    llamacpp = found.server("llamacpp")
    if not chats and (llamacpp is None or not llamacpp.answers):
        yield Advice(
            text=f"With llama.cpp: start its server on {LLAMACPP_URL} with a chat model as a GGUF "
            f"file, {MORE_SLOTS} slots and {WISHED_CONTEXT} tokens for each:",
            command=_llama_server(MORE_SLOTS, WISHED_CONTEXT),
        )


def _about_size(found: Findings) -> Iterator[Advice]:
    """Yield advice for a model that is too small to speak for itself."""
    warning = warn_if_small(found.model.parameters, machine_memory())
    if warning:
        yield Advice(text=f"{warning[:1].upper()}{warning[1:]}.")


def _about_context(found: Findings) -> Iterator[Advice]:
    """Yield advice for a context that is too small."""
    context = found.context
    room = context.largest if context.is_cut else context.num_ctx
    wanted = max(LEAST_CONTEXT, context.needed or 0)
    if room is None or room >= wanted:
        return
    if found.model.spec.startswith("ollama:"):
        larger = f"ollama:{found.model.name}?num_ctx={WISHED_CONTEXT}"
        yield Advice(
            text=f"Prompts of {room} tokens get through, some need {wanted}. If the model was "
            "trained for more, ask for it; it needs memory:",
            command=f"smolville run --model {larger}",
        )
    elif found.model.spec.startswith("llamacpp:"):
        slots = max(1, found.model.slots)
        yield Advice(
            text=f"A slot has {room} tokens, some prompts need {wanted}. -c is shared by all "
            "slots: start the server with more:",
            command=_llama_server(slots, WISHED_CONTEXT, found.model.spec),
        )
    else:
        yield Advice(
            text=f"Prompts of {room} tokens get through, some need {wanted}: memories will be left "
            "out. Take a server or a model with a larger context."
        )


def _about_answers(found: Findings) -> Iterator[Advice]:
    """Yield advice about schema support, thinking and memory."""
    if found.schema.honoured_against_prompt is False and _is_local(found):
        yield Advice(
            text="The server takes a JSON schema and does not hold the model to it. A current "
            "version of Ollama or llama.cpp does (for llama-server: with --jinja). Until then the "
            'reader and repairs do the work; constrain = "none" says so in every record.'
        )
    if found.thinking.thinks and found.thinking.switches_off is False:
        yield Advice(
            text="The model thinks aloud even when it is told not to: each call costs more. Use "
            "one that obeys, or give it room with thinking_tokens."
        )
    share = found.model.gpu_share
    if share is not None and share < 1:
        yield Advice(
            text=f"Only {share:.0%} of the model lies in the GPU's memory; the rest makes it slow. "
            "Take a smaller model or quantisation, or a smaller num_ctx; OLLAMA_KV_CACHE_TYPE=q8_0 "
            "with OLLAMA_FLASH_ATTENTION=1 halves what the context takes."
        )


def _about_speed(found: Findings) -> Iterator[Advice]:
    """Yield advice on the number of slots for the server."""
    pays, slots = found.speed.pays, found.model.slots
    if pays is None:
        return
    is_ollama = found.model.spec.startswith("ollama:")
    if pays > slots and is_ollama:
        yield Advice(
            text=f"{pays} calls at a time write faster than {slots}. Start Ollama so, and set the "
            "same variable where you run smolville, which reads it there:",
            command=f"OLLAMA_NUM_PARALLEL={pays} ollama serve",
        )
    elif slots == 1 and is_ollama:
        yield Advice(
            text="One call at a time is sent. If there is memory for several contexts, start "
            "Ollama with more, set the same variable where you run smolville, and look again:",
            command=f"OLLAMA_NUM_PARALLEL={MORE_SLOTS} ollama serve",
        )
    elif pays > slots and found.model.spec.startswith("gguf:"):
        plain = found.model.spec.partition("?")[0]
        yield Advice(
            text=f"{pays} calls at a time write faster than {slots}. More slots take more memory:",
            command=f"smolville run --model '{plain}?slots={pays}'",
        )
    elif pays >= slots and found.model.spec.startswith("llamacpp:") and slots < 2 * MORE_SLOTS:
        more = max(MORE_SLOTS, 2 * slots)
        yield Advice(
            text=f"All {slots} slots pay. More may pay too, if there is memory for their contexts "
            "(-c is shared by all):",
            command=_llama_server(more, WISHED_CONTEXT, found.model.spec),
        )


def _about_embedder(found: Findings) -> Iterator[Advice]:
    """Yield advice on how to get an embedding model."""
    spec = found.embedder.spec
    if spec not in QUICK:
        return
    ollama = found.server("ollama")
    if ollama is not None and ollama.answers:
        command = f"ollama pull {EMBEDDER}"
    else:
        command = "llama-server -m EMBEDDER.gguf --embeddings --port 8081"
    text = "Memories are compared by their words. An embedding model finds them by meaning"
    if spec == BUILT_IN:
        text = "Memories are compared by what is built in. An embedding model reads whole sentences"
    if command.startswith("llama-server"):
        text += (
            '; with llama.cpp it is a second server, embedder = "llamacpp:http://127.0.0.1:8081"'
        )
    yield Advice(text=f"{text}:", command=command)


def _is_local(found: Findings) -> bool:
    """Return whether the operator runs the model's server (Ollama or llama.cpp)."""
    return found.model.spec.startswith(("ollama:", "llamacpp:"))


def _llama_server(slots: int, context: int, spec: str = "") -> str:
    """Return the command that starts llama.cpp's server, on the port that `spec` names."""
    port = urlsplit(spec.removeprefix("llamacpp:")).port
    where = f" --port {port}" if port not in (None, urlsplit(LLAMACPP_URL).port) else ""
    return f"llama-server -m MODEL.gguf -c {slots * context} -np {slots} --jinja{where}"
