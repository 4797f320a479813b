"""The replay of a run: people's positions, actions, talks and memories as JSON for the stage.

`viewer.playback.reader.ReplayReader` reads it from a run's folder, and
`viewer.playback.routes` serves it.

Format 1. People and objects are referred to by their numbers in the head. Ticks are those of the
run; `at`, `start` and `end` are town seconds. There is no data after `until`, the last complete
tick.

head     {"format", "run", "forked_from", "town", "start", "tick", "pace", "until", "goal", "state",
          "models", "about", "standin", "waiting", "steps", "faults", "people", "map"}; `pace` is
          the number of town seconds per tile, `waiting` lists the requests that the run takes in
          when it continues, `steps` has the plain names of a thought's steps, and `faults` says
          what is wrong with the town's files. The server adds "starting": whether a process for
          the run was started but does not execute it yet.
  person {"name", "short", "initials", "age", "traits", "home", "work", "colour", "look", "at",
         "visitor", "from", "to", "stays"}; `from` and `to` are the ticks of a guest's first
         arrival and last departure, `stays` holds each arrival and departure.
tracks   {"since", "until", "state", "goal", "moves", "deeds", "objects", "talks", "notes"}, and
         "people" (everybody, as in the head) if a guest arrived or left. It holds all rows of
         ticks after `since`.
  move   [n, tick, end tick, x, y, "R3U2"]: the first tile, then steps right, left, up, down or
         diagonal (NE, SE, SW, NW), each with a count. A tile takes `pace` seconds.
  deed   [n, tick, kind, activity, place, start, end, emoji, object's address, object's state,
         object's emoji, [partners], flags, reason, [odd]]; `flags` is a sum: 1 if a fallback
         decided the deed, 2 if the deed was refused, 4 if the model found no place for it, 8 if
         one of the answers that decided it is odd, 16 if its task or its place came from a
         routine. Only an odd deed has `odd`, the sentences that say why it is odd.
  object [object, tick, state, emoji, by]; `by` is a person's number, -1 for an operator.
  talk   {"id", "tick", "who", "place", "start", "end", "ended", "lines"}, where a line is
         [n, at, text, 0|1, [odd]], with 1 for a fallback. Only a line that makes no sense to the
         checks has `odd`. `ended` is who ended the talk, -1 if nobody did, as when the maximum
         number of lines was reached.
  note   [tick, n or -1, kind, text]; kinds are listed in `viewer.playback.notes`.
person   {"n", "until", "persona", "memories", "plans", "bonds", "currently", "goals", "thoughts",
         "needs"}.
"""
