"""The page for a request without the token: it says where to find the full address."""

from html import escape

TOKENLESS = "This page asks for a token: open the whole address that was printed at its start."
"""The response to requests that are not for a page."""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Token needed · Smolville</title>
<style>
body {{ max-width: 34rem; margin: 15vh auto 0; padding: 0 1.5rem; font: 1.1rem/1.6 sans-serif; }}
input {{ width: 100%; box-sizing: border-box; margin: 0.2rem 0 0.6rem; }}
code {{ white-space: nowrap; }}
input, button {{ font: inherit; padding: 0.3rem 0.6rem; }}
</style>
</head>
<body>
<main>
<h1>This page asks for a token</h1>
<p>Open the whole address. It stands in the terminal in which this page was started, begins with
<code>{root}</code> and holds <code>token=</code>.</p>
<p>Each start has another token, unless <code>--token</code> names one.</p>
<form><label>Token <input name="token" autocomplete="off" required></label>
<button>Open</button></form>
</main>
</body>
</html>
"""


def token_page(root: str) -> str:
    """Return the page, with a field for the token; `root` is the address without a path."""
    return _PAGE.format(root=escape(root))
