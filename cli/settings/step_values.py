"""Settings that can be changed for a single step."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from cli.settings.readings import SettingHelp


class StepValues(BaseModel):
    """Settings that differ for one step."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    tier: Annotated[
        Literal["fast", "strong"] | None,
        SettingHelp("Which of the two models answers.", "fast or strong"),
    ] = None
    temperature: Annotated[
        float | None,
        Field(ge=0, le=2),
        SettingHelp("The sampling temperature.", "a number from 0 to 2"),
    ] = None
    max_tokens: Annotated[
        int | None,
        Field(ge=1),
        SettingHelp("The maximum length of a reply.", "a whole number of tokens, from 1 up"),
    ] = None
