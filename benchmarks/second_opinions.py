"""Measures two methods beside the sense checks for finding answers that make no sense.

    python benchmarks/second_opinions.py [--gguf FILE] [--limit N]

Both give a score to answers that people have judged (`tests/recordings/read_unseen`), and are
compared with the checks:

- *learned*: logistic regression over the vectors of question and answer, learned from the other set
  of labels (`tests/recordings/read`);
- *asked*, with `--gguf`: a model is asked whether the answer makes sense; the score is the
  probability of *no* against *yes* as the first token.

An answer counts as found if its score is above a threshold. For each score, the threshold is set so
that at most 2 % of the sensible answers are above it. It is set on the judged answers themselves,
so the result is the best that any threshold could give. *AUC* is the share of pairs, one answer
sensible and one not, that the score puts in the right order; 0.5 is chance.
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
"""Maximum share of sensible answers that may be above the threshold."""
SYSTEM = "You read what people of a small town think, say and do. Answer with one word: yes or no."
QUESTION = "Could this person well think, say or do so, now and here? Answer yes or no."
CONTEXT = 8192
SECONDS = 600.0


def read(name: str) -> tuple[LabelledAnswer, ...]:
    """Return the answers in a set of labels."""
    found = labelled_set(LABELS / name, name, Path(), ())
    assert found is not None, f"{LABELS / name} has no labels"
    return found.answers


def asked_and_answered(each: LabelledAnswer) -> tuple[str, str]:
    """Return the question, with the person asked, and the answer, as a reader sees them."""
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
    """Return a row for each answer: its vector, its similarity to the question, and its length."""
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
    """Return a score's row: what is above the limit, rightly and wrongly, and its AUC.

    Without a `limit`, it is set to get the wanted share of false alarms.
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
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--gguf", type=Path, help="model to ask for its opinion as well")
    parser.add_argument(
        "--limit", type=int, default=1000, help="maximum number of answers, selected by hash"
    )
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
