"""Answers by dice, which understand nothing: what a score gives them says nothing of a model."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Filler:
    """Fills JSON schemas by dice, with texts made of some words."""

    words: Sequence[str]
    dice: random.Random
    known: Schema = field(default_factory=dict)
    """The definitions to which a schema may refer, by name."""

    def fill(self, schema: Schema) -> Any:
        """Return a value that fits a schema."""
        if "$ref" in schema:
            return self.fill(self.known[schema["$ref"].rsplit("/", 1)[1]])
        if "const" in schema:
            return schema["const"]
        if options := schema.get("enum"):
            return self.dice.choice(options)
        for several in ("anyOf", "oneOf", "allOf"):
            if several in schema:
                return self.fill(self.dice.choice(schema[several]))
        kinds = schema.get("type", "string")
        return self._fill(self.dice.choice(kinds) if isinstance(kinds, list) else kinds, schema)

    def _fill(self, kind: str, schema: Schema) -> Any:
        match kind:
            case "object":
                return {name: self.fill(each) for name, each in schema["properties"].items()}
            case "array":
                fewest = schema.get("minItems", 0)
                most = min(schema.get("maxItems", fewest + 2), fewest + 2)
                return [self.fill(schema["items"]) for _ in range(self.dice.randint(fewest, most))]
            case "integer" | "number":
                lowest, highest = schema.get("minimum", 1), schema.get("maximum", 10)
                return self.dice.randint(int(lowest), int(highest))
            case "boolean":
                return self.dice.random() < 0.3
            case "null":
                return None
        text = " ".join(self.dice.choices(self.words, k=self.dice.randint(4, 9)))
        return text[: schema.get("maxLength", 200)]


def fill(schema: Schema, shown: str, seed: object) -> Any:
    """Return a value that fits a schema, with words of the text shown; equal seeds fill alike."""
    words = re.findall(r"[A-Za-z']{2,}", shown) or ["word"]
    dice = random.Random(f"{seed} {shown}")  # noqa: S311 - repeatable, and no secret
    return Filler(words, dice, schema.get("$defs", {})).fill(schema)
