"""What may be set otherwise for one step."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from cli.settings.readings import Told


class StepValues(BaseModel):
    """What is different for one step."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    tier: Annotated[Literal["fast", "strong"] | None, Told("Which model.", "fast or strong")] = None
    temperature: Annotated[
        float | None,
        Field(ge=0, le=2),
        Told("How freely it answers.", "a number from 0 to 2"),
    ] = None
    max_tokens: Annotated[
        int | None,
        Field(ge=1),
        Told("The longest reply.", "a whole number of tokens, from 1 up"),
    ] = None
