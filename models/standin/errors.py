"""What the stand-in refuses to do."""


class StandInError(Exception):
    """The stand-in was asked something it cannot answer honestly.

    No step, inputs or rule came with the call, or the answer would use a name, a place or a memory
    that the rendered messages do not show. The developer of a prompt or of a call has to act.
    """
