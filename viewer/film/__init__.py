"""The film of a run: who was where, did, said and remembered what, as JSON that the stage draws.

`viewer.film.reel.Reel` reads it from a run's folder; `viewer.film.routes` serves it.

Format 1. People and objects are named by their numbers in the head. Ticks are those of the run;
`at`, `start` and `end` are town seconds. Nothing beyond `until`, the last complete tick, is told.

head     {"format", "run", "town", "start", "tick", "pace", "until", "goal", "state", "models",
          "standin", "faults", "people", "map"}; `pace` is how many town seconds a tile takes.
  person {"name", "short", "initials", "age", "traits", "home", "work", "colour", "look", "at",
         "visitor", "from", "to", "stays"}; `from` and `to` are the ticks of a guest's first coming
         and last going, `stays` each coming and going.
tracks   {"since", "until", "state", "goal", "moves", "deeds", "objects", "talks", "notes"}, and
         "people" (everybody, as in the head) where a guest came or went, and "faults" where there
         are any: all rows of ticks beyond `since`.
  move   [n, tick, end tick, x, y, "R3U2"]: the first tile, then steps right, left, up or down, or
         aslant (NE, SE, SW, NW), each with how often. A tile takes `pace` seconds.
  deed   [n, tick, kind, activity, place, start, end, emoji, object's address, its state, its
         emoji, [partners], flags, reason]; flags, summed: 1 a fallback decided it, 2 it was
         refused, 4 the model found no place for it, 8 an answer that decided it is odd.
  object [object, tick, state, emoji, by]; by: a person's number, -1 for an operator.
  talk   {"id", "tick", "who", "place", "start", "end", "ended", "lines": [[n, at, text, 0|1]]};
         1: a fallback spoke; ended: who ended it, -1 where enough was said.
  note   [tick, n or -1, kind, text]; kinds in `viewer.film.notes`.
person   {"n", "until", "persona", "memories", "plans", "bonds", "currently", "thoughts", "needs"}.
"""
