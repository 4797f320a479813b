"""Measures two other ways than the sense checks to find answers that make no sense.

    python benchmarks/second_opinions.py [--gguf FILE] [--limit N]

Both score answers that people have read (`tests/recordings/read_unseen`), next to the checks:

- *learned*: logistic regression over the vectors of question and answer, learned from the other set
  of labels (`tests/recordings/read`);
- *asked*, with `--gguf`: a model is asked whether the answer makes sense; the score is the
  probability of *no* against *yes* as the first token.

Each score's threshold is the one at which at most 2 % of the sensible answers are objected to, set
on the answers that are judged: so what it finds is the best that a threshold could do. *AUC* is the
share of pairs, one sensible and one not, that the score puts in the right order; 0.5 is chance.
"""

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from numpy.typing import NDArray
from rich.progress import track
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

import benchmarks.here  # noqa: F401 - the rooms are found by their names
from agents.chance import draw
from benchmarks.reading_sheet import plain_answer
from benchmarks.table import Cell, machine, print_figures, print_table
from lab.evaluation.labels import LabelledAnswer, labelled_set
from lab.evaluation.sense_tally import odd_kinds
from lab.evaluation.statistics import wilson
from models.connecting.gguf import GgufServer
from models.embedding.embedder import open_embedder
from models.servers.gguf_child import GgufWish
from prompts.prompt import shipped_templates

LABELS = Path(__file__).resolve().parents[1] / "tests" / "recordings"
FALSE_ALARMS = 0.02
"""Share of sensible answers that may be objected to."""
SYSTEM = "You read what people of a small town think, say and do. Answer with one word: yes or no."
QUESTION = "Could this person well think, say or do so, now and here? Answer yes or no."
CONTEXT = 8192
SECONDS = 600.0


def read(name: str) -> tuple[LabelledAnswer, ...]:
    """Return the answers of a set of labels."""
    found = labelled_set(LABELS / name, name, Path(), ())
    assert found is not None, f"{LABELS / name} has no labels"
    return found.answers


def asked_and_answered(each: LabelledAnswer) -> tuple[str, str]:
    """Return what was asked, with who was asked, and the answer, as a reader sees them."""
    me = each.inputs.me
    about = f"{me.name}, {me.age}: {me.innate}. {me.learned} {me.lifestyle}"
    answer = "\n".join(plain_answer(json.loads(each.answer)))
    return f"{about}\n\nAsked ({each.step.about}):\n{each.step.case(each.inputs)}", answer


def learned(known: Sequence[LabelledAnswer], judged: Sequence[LabelledAnswer]) -> list[float]:
    """Return for each judged answer the learned probability that it is not sensible."""
    model = LogisticRegression(C=1.0, max_iter=2000, class_weight="balanced")
    model.fit(_features(known), [not each.label.is_sensible for each in known])
    return [float(row[1]) for row in model.predict_proba(_features(judged))]


def _features(answers: Sequence[LabelledAnswer]) -> NDArray[np.float32]:
    """Return a row for each answer: its vector, its likeness to the question, and its length."""
    embedder = open_embedder("wordllama")
    pairs = [asked_and_answered(each) for each in answers]
    asked = embedder.embed([each for each, _ in pairs])
    given = embedder.embed([each for _, each in pairs])
    alike = (asked * given).sum(axis=1, keepdims=True)
    lengths = np.log1p([[len(each)] for _, each in pairs]).astype(np.float32)
    return np.hstack([given, asked * given, alike, lengths])


def asked(judged: Sequence[LabelledAnswer], gguf: Path) -> Iterator[float]:
    """Yield for each answer the probability that a model says *no* to it."""
    server = GgufServer(GgufWish(path=str(gguf), num_ctx=CONTEXT, slots=1))
    try:
        head = {"Authorization": f"Bearer {server.key}"}
        with httpx.Client(base_url=server.url, headers=head, timeout=SECONDS) as client:
            for each in track(judged, description="asking"):
                yield _probability_of_no(client, each)
    finally:
        server.stop()


def _probability_of_no(client: httpx.Client, each: LabelledAnswer) -> float:
    """Return the probability of *no* against *yes* as the first token of the reply."""
    question, answer = asked_and_answered(each)
    content = f"{question}\n\nAnswered:\n{answer}\n\n{QUESTION}"
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": content}]
    wish: dict[str, Any] = {"messages": messages, "max_tokens": 1, "temperature": 0}
    reply = client.post("/v1/chat/completions", json={**wish, "logprobs": True, "top_logprobs": 20})
    reply.raise_for_status()
    top = reply.json()["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
    shares = {"yes": 0.0, "no": 0.0}
    for token in top:
        word = token["token"].strip().lower()
        if word in shares:
            shares[word] += math.exp(token["logprob"])
    return shares["no"] / (sum(shares.values()) or 1.0)


def row(
    name: str, judged: Sequence[LabelledAnswer], scores: Sequence[float], limit: float | None = None
) -> list[Cell]:
    """Return a score's row: what it finds and objects to above a limit, and its AUC.

    Without a `limit` it is the one for the wanted share of false alarms.
    """
    odd = [not each.label.is_sensible for each in judged]
    plain = sorted((s for s, is_odd in zip(scores, odd, strict=True) if not is_odd), reverse=True)
    limit = plain[math.floor(FALSE_ALARMS * len(plain))] if limit is None else limit
    found = sum(is_odd and score > limit for score, is_odd in zip(scores, odd, strict=True))
    alarms = sum(score > limit for score in plain)
    low, high = wilson(found, sum(odd))
    return [
        name,
        f"{found} of {sum(odd)} ({low:.0%}-{high:.0%})",
        f"{alarms} of {len(plain)}",
        float(roc_auc_score(odd, scores)),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--gguf", type=Path, help="a model that is asked for its opinion, too")
    parser.add_argument("--limit", type=int, default=1000, help="answers to judge, drawn by hash")
    wish = parser.parse_args(arguments)
    judged = sorted(read("read_unseen"), key=lambda each: draw("second opinion", each.label.line))
    judged = judged[: wish.limit]
    templates = shipped_templates()
    checks = [float(bool(odd_kinds(each, templates))) for each in judged]
    rows = [row("the sense checks", judged, checks, 0.5)]
    rows.append(row("learned", judged, learned(read("read"), judged)))
    if wish.gguf is not None:
        rows.append(row(f"asked: {wish.gguf.stem}", judged, [*asked(judged, wish.gguf)]))
    print_table(f"{len(judged)} answers; {machine()}", ("by", "found", "false alarms", "AUC"), rows)
    print_figures({str(each[0]): each[1:] for each in rows})


if __name__ == "__main__":
    main()
