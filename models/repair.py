"""The message that sends an answer back, distinguishable from a prompt's other human messages."""

from langchain_core.messages import HumanMessage


class RepairMessage(HumanMessage):
    """The problems of the answer before it; to a server a human message like any other.

    When a talk is shown as turns, the prompt itself contains answers, so roles alone do not tell
    where a prompt ends and its repairs begin.
    """
