"""The error for requests that the stand-in refuses."""


class StandInError(Exception):
    """The stand-in was asked something that it cannot answer honestly.

    No step, inputs or rule came with the call, or the answer would use a name, a place or a memory
    that the rendered messages do not show. The developer of the prompt or of the call has to fix
    it.
    """
