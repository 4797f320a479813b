"""Calls of every command that print what others wrote: models, maps, servers, arguments."""

from tests.fixtures.hostile import HOSTILE, IN_NAMES, TITLE

CALLS: dict[str, list[tuple[str, ...]]] = {
    "run": [
        (*("run", "birch", "--town", "TOWN", "--model", "standin"), "--cast", "2", "--for", "7h"),
        ("run", "birch", "--town", "TOWN", "--model", "openai:URL/v1#m", "--set", "patience=0"),
        ("run", "birch", "--model", "openai:URL/v1#m", "--model", f"openai:URL/v2#{TITLE}"),
        ("run", "birch", "--town", f"nowhere{TITLE}"),
        ("run", "amber", "--resume", "--for", "20m"),
    ],
    "ablate": [("ablate", f"x{TITLE}"), ("ablate", "study", "--study", TITLE)],
    "view": [("view", f"amber{TITLE}"), ("view", "amber", "--at", TITLE)],
    "show": [
        ("show", "amber"),
        ("show", "amber", "--json"),
        ("show", "amber", "ada"),
        *(
            ("show", "amber", "ada", what, *more)
            for what in ("plan", "memories", "social", "talks", "thoughts", "place")
            for more in ((), ("--json",))
        ),
        ("show", "amber", "interviews"),
        ("show", "amber", "routines"),
        ("show", f"amber{TITLE}", "routines", "--json"),
        ("show", "amber", "--tile", "1,1"),
        ("show", "amber", f"dora{TITLE}"),
    ],
    "timeline": [
        ("timeline", "amber"),
        ("timeline", "amber", "--agent", "ben"),
        ("timeline", "amber", "-o", f"story{TITLE}.md"),
    ],
    "recall": [
        ("recall", "amber", "ada", HOSTILE, "--explain"),
        ("recall", "amber", "ada", "tea", "--json"),
        ("recall", "amber", "ada", HOSTILE, "--keywords"),
    ],
    "interview": [
        ("interview", "amber", "ada", HOSTILE),
        ("interview", "amber", "everybody", HOSTILE, "--json"),
        ("interview", "amber", "ada", "Who?", "--model", "openai:URL/v1#m", "--set", "patience=0"),
    ],
    "set": [
        ("set", "amber", f"the stove is hot{HOSTILE}", "--near", "ada"),
        ("set", "amber", HOSTILE),
    ],
    "tell": [
        ("tell", "amber", "ada", HOSTILE),
        ("tell", "amber", "everybody", HOSTILE),
        ("tell", "amber", "--file", "TOWN/history.csv"),
        ("tell", "amber", "--file", f"past{TITLE}.csv"),
        ("tell", "amber", "--file", "bad.csv"),
    ],
    "visit": [
        ("visit", "amber", f"Nils{TITLE}", "--phone", "ada"),
        ("visit", "amber", "Rosa Lind", "--about", HOSTILE, "--at", f"Willow Park{IN_NAMES}"),
        ("visit", "amber", f"Rosa{TITLE}", "--at", "park"),
        ("visit", "amber", "Rosa Lind", "--at", f"moon{TITLE}"),
    ],
    "settings": [
        ("settings", "--settings", "hostile.toml"),
        ("settings", "--settings", "hostile.toml", "--json"),
        ("settings", "--settings", "wrong.toml"),
    ],
    "runs": [
        ("runs",),
        ("runs", "--json"),
        ("runs", f"amber{TITLE}"),
        ("runs", f"amber{TITLE}", "--delete"),
    ],
    "health": [("health", "amber"), ("health", "amber", "--json"), ("health", TITLE)],
    "moments": [("moments", "amber"), ("moments", "amber", "--json"), ("moments", TITLE)],
    "trace": [
        ("trace", "amber"),
        ("trace", "amber", "--all", "--json"),
        ("trace", "amber", "MOMENT", "--messages"),
        ("trace", "amber", "--agent", TITLE),
    ],
    "fork": [("fork", "amber", f"cedar{TITLE}"), ("fork", "amber", "cedar", "--at", TITLE)],
    "reembed": [
        ("reembed", "amber", "--embedder", "minilm:MINILM"),
        ("reembed", "amber", "--embedder", f"parrot{TITLE}"),
    ],
    "town": [
        ("town", "TOWN"),
        ("town", "TOWN", "--svg", f"map{TITLE}.svg"),
        ("town", f"nowhere{TITLE}"),
        ("town", "BROKEN"),
        ("town", "TOWN", "--path", "Fern Cottage", f"Willow Park{TITLE}"),
        ("town", "TOWN", "--path", "1,8", "<random>"),
    ],
    "compare": [
        ("compare", "amber"),
        ("compare", "amber", "--json"),
        ("compare", TITLE, "--digest"),
        ("compare", "amber", "sample"),
        ("compare", "sample", "amber", "--json"),
        ("compare", "amber", TITLE),
    ],
    "export": [
        ("export", "amber", f"page{TITLE}.html"),
        ("export", "amber", f"numbers{TITLE}", "--format", "metrics"),
        ("export", "amber", f"moments{TITLE}.jsonl", "--format", "jsonl"),
        ("export", TITLE, "page.html"),
    ],
    "doctor": [
        ("doctor", "--model", f"ollama:model{TITLE}"),
        ("doctor", "--model", "openai:URL/v1#m"),
        ("doctor", "--try", "--model", "openai:URL/v1#m", "--steps", "say"),
        ("doctor", "--try", "--model", "standin", "--steps", f"say,{TITLE}"),
    ],
    "prompt show": [
        ("prompt", "show", "say", "--prompts", "mine"),
        ("prompt", "show", "--prompts", "mine", "--json"),
        ("prompt", "show", f"say{TITLE}"),
    ],
    "prompt render": [
        ("prompt", "render", "MOMENT", "--prompts", "mine"),
        ("prompt", "render", "say", "--diff", "mine"),
        ("prompt", "render", "MOMENT", "--json", "--prompts", "mine"),
    ],
    "prompt lint": [("prompt", "lint", "mine"), ("prompt", "lint", f"mine{TITLE}")],
    "prompt eject": [("prompt", "eject", "say", f"--to={TITLE}"), ("prompt", "eject", TITLE)],
    "prompt try": [
        ("prompt", "try", "MOMENT", "--model", "standin"),
        ("prompt", "try", "MOMENT", "--model", "openai:URL/v1#m"),
    ],
    "prompt eval": [
        ("prompt", "eval", "say", "--moments", "amber", "--model", "standin", "--limit", "2"),
        ("prompt", "eval", "say", "--moments", f"amber{TITLE}", "--model", "standin"),
    ],
    "prompt diff": [("prompt", "diff", "mine", "amber"), ("prompt", "diff", f"mine{TITLE}", "say")],
    "prompt history": [
        ("prompt", "history"),
        ("prompt", "history", f"{TITLE}"),
        ("prompt", "history", "--best", "say"),
    ],
    "prompt judge": [
        ("prompt", "judge", f"shipped{TITLE}", "2"),
        ("prompt", "judge", "1", "2", f"--results={TITLE}.jsonl"),
    ],
    "new town": [
        ("new", "town", f"made{TITLE}"),
        ("new", "town", f"nowhere{TITLE}/made"),
    ],
    "new persona": [
        ("new", "persona", "--town", "TOWN", "--model", "standin"),
        ("new", "persona", "--town", f"nowhere{TITLE}"),
        ("new", "persona", "--town", "TOWN", "--name", TITLE),
        ("new", "persona", "--town", "TOWN", "--about", HOSTILE, "--model", "openai:URL/v1#m"),
        ("new", "persona", "--town", "TOWN", "--templates", TITLE),
    ],
}
"""By command; what stands for TOWN, MOMENT and the other words in capitals differs by test."""
