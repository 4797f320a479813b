"""The doctor's advice: what to do next, with a command to copy if there is one."""

import shlex
from collections.abc import Iterator
from urllib.parse import urlsplit

from smolville.lab.doctor.findings import Advice, Findings
from smolville.lab.doctor.profile import LEAST_CONTEXT, WISHED_CONTEXT
from smolville.models.embedding.embedder import QUICK
from smolville.models.open import SUGGESTED, machine_memory
from smolville.models.servers.address import LLAMACPP_URL
from smolville.models.size import warn_if_small

MORE_SLOTS = 4


def advise(found: Findings) -> tuple[Advice, ...]:
    """Return the advice, most important first."""
    if found.usable and not found.is_standin:
        return (*_about_the_model(found), *_about_speed(found), *_about_embedder(found))
    if found.may_pass:
        words = ["smolville", "doctor", *(["--model", found.asked] if found.asked else [])]
        text = (
            "The server is there and does not answer now: it may be busy, or still loading the "
            "model. Look again in a minute or two:"
        )
        return (Advice(text=text, command=shlex.join(words)),)
    standin = Advice(
        text="To see a town without any model, with the built-in stand-in:",
        command="smolville run --model standin",
    )
    return (*_to_get_a_model(found), *([] if found.is_standin else [standin]))


def _to_get_a_model(found: Findings) -> Iterator[Advice]:
    ollama = found.answering("ollama")
    asked = found.spec.removeprefix("ollama:").partition("?")[0]
    wanted = asked if found.spec.startswith("ollama:") else ""
    if ollama is None:
        yield Advice(
            text="With Ollama: install it, start it, and get a small model. OLLAMA_HOST says where "
            "it listens if that is not the usual port.",
            command=f"ollama serve & ollama pull {SUGGESTED}",
        )
    else:
        names = {model.name for model in ollama.models}
        chats = [model.name for model in ollama.models if model.chats]
        others = [name for name in chats if name not in (wanted, f"{wanted}:latest")]
        if wanted and not names & {wanted, f"{wanted}:latest"}:
            yield Advice(
                text=f"Ollama answers and does not have {wanted}. Get it:",
                command=f"ollama pull {wanted}",
            )
        elif not chats:
            yield Advice(
                text="Ollama answers and has no chat model. Get a small one:",
                command=f"ollama pull {SUGGESTED}",
            )
        if others:
            yield Advice(
                text=f"Ollama has {len(others)} other chat model(s); to look at the newest:",
                command=f"smolville doctor --model ollama:{others[0]}",
            )
            return
    if found.answering("llamacpp") is None:
        yield Advice(
            text=f"With llama.cpp: start its server on {LLAMACPP_URL} with a chat model as a GGUF "
            f"file, {MORE_SLOTS} slots and {WISHED_CONTEXT} tokens for each:",
            command=_llama_server(MORE_SLOTS),
        )


def _about_the_model(found: Findings) -> Iterator[Advice]:
    warning = warn_if_small(found.parameters, machine_memory())
    if warning:
        yield Advice(text=f"{warning[:1].upper()}{warning[1:]}.")
    room, wanted = found.room, max(LEAST_CONTEXT, found.needed or 0)
    if room is not None and room < wanted:
        text = f"Prompts of {room} tokens get through, some need {wanted}"
        if found.spec.startswith("ollama:"):
            yield Advice(
                text=f"{text}. If the model was trained for more, ask for it; it needs memory:",
                command=f"smolville run --model ollama:{found.name}?num_ctx={WISHED_CONTEXT}",
            )
        elif found.spec.startswith("llamacpp:"):
            yield Advice(
                text=f"{text}. -c is shared by all slots: start the server with more:",
                command=_llama_server(max(1, found.slots), found.spec),
            )
        else:
            yield Advice(
                text=f"{text}: memories will be left out. Take a server or a model with a larger "
                "context."
            )
    if found.schema_holds is False and found.spec.startswith(("ollama:", "llamacpp:")):
        yield Advice(
            text="The server takes a JSON schema and does not hold the model to it. A current "
            "version of Ollama or llama.cpp does (for llama-server: with --jinja). Until then the "
            'reader and repairs do the work; constrain = "none" says so in every record.'
        )
    if found.stops_thinking is False:
        yield Advice(
            text="The model thinks aloud even when it is told not to: each call costs more. Use "
            "one that obeys, or give it room with thinking_tokens."
        )
    if found.gpu_share is not None and found.gpu_share < 1:
        yield Advice(
            text=f"Only {found.gpu_share:.0%} of the model lies in the GPU's memory, which makes "
            "it slow. Take a smaller model or quantisation, or a smaller num_ctx; "
            "OLLAMA_KV_CACHE_TYPE=q8_0 with OLLAMA_FLASH_ATTENTION=1 halves what the context takes."
        )


def _about_speed(found: Findings) -> Iterator[Advice]:
    pays, slots = found.pays or 0, found.slots
    more = max(pays, MORE_SLOTS if slots == 1 else 0)
    if found.pays is None or pays < slots or (pays == slots and slots > 1):
        return
    kind, plain = found.spec.partition(":")[0], found.spec.partition("?")[0]
    commands = {
        "ollama": f"OLLAMA_NUM_PARALLEL={more} ollama serve",
        "gguf": f"smolville run --model '{plain}?slots={more}'",
        "llamacpp": _llama_server(more, found.spec),
    }
    if kind in commands:
        variable = " Set the same variable where you run smolville." if kind == "ollama" else ""
        told = f"{pays} calls at a time write faster than {slots}"
        told = told if pays > slots else "One call at a time is sent"
        yield Advice(
            text=f"{told}. If there is memory for several contexts, start the server with more "
            f"slots.{variable}",
            command=commands[kind],
        )


def _about_embedder(found: Findings) -> Iterator[Advice]:
    if found.embedder in QUICK:
        ollama = found.answering("ollama")
        alone = "llama-server -m EMBEDDER.gguf --embeddings --port 8081"
        beside = (
            '; with llama.cpp it is a second server, embedder = "llamacpp:http://127.0.0.1:8081"'
        )
        text = "Memories are compared by what is built in. An embedding model reads whole sentences"
        yield Advice(
            text=f"{text}{'' if ollama else beside}:",
            command="ollama pull nomic-embed-text" if ollama else alone,
        )
    yield Advice(text="Then:", command=f"smolville try-model {found.spec}")


def _llama_server(slots: int, spec: str = "") -> str:
    """Return the command that starts llama.cpp's server, on the port that `spec` names."""
    port = urlsplit(spec.removeprefix("llamacpp:")).port
    where = f" --port {port}" if port not in (None, urlsplit(LLAMACPP_URL).port) else ""
    return f"llama-server -m MODEL.gguf -c {slots * WISHED_CONTEXT} -np {slots} --jinja{where}"
