"""An HTML page with a run's film and the stage that plays it; it makes no network requests."""

import gzip
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from typing import Any

import orjson

from viewer.exporting.bundle import bundle
from viewer.styles import SHEETS, STAGE, TOWN

ENTRY = "from_file.js"
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Smolville">
<title>{title}</title>
<style>
{styles}
</style>
</head>
<body>
<div id="stage">
<noscript><p>This page plays a town, and needs scripts to do so.</p></noscript>
</div>
<script type="application/json" id="film">{film}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def page(film: Mapping[str, Any], title: str) -> str:
    """Return the page of a film {"head", "tracks", "people"}; equal films give equal pages."""
    script = "\n" + bundle(STAGE, ENTRY) + "\n"
    return _PAGE.format(
        policy=escape(policy(script)),
        title=escape(title),
        styles=styles(),
        film=packed(film),
        script=script,
    )


def policy(script: str) -> str:
    """Return the content security policy: only this script and embedded content are allowed."""
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'sha256-{digest}'",
            "style-src 'unsafe-inline'",
            "img-src data: blob:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def packed(film: Mapping[str, Any]) -> str:
    """Return a film as JSON, gzipped and in base64, so that no text in it can close its element."""
    return b64encode(gzip.compress(orjson.dumps(film), mtime=0)).decode()


def styles() -> str:
    """Return the town page's styles."""
    return "\n".join((SHEETS / f"{name}.css").read_text(encoding="utf-8").rstrip() for name in TOWN)
