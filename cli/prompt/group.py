"""`smolville prompt`: the commands about templates, in the order in which they are listed."""

from cli.grouping import group
from cli.prompt.eject import eject_prompts
from cli.prompt.eval_ import eval_prompts
from cli.prompt.judge import judge_prompts
from cli.prompt.lint import lint_prompts
from cli.prompt.list import list_prompts
from cli.prompt.render import render_prompt
from cli.prompt.show import show_prompt
from cli.prompt.try_ import try_prompt

prompt = group(
    "Look at templates, change them, try and measure them.",
    "Begin with: smolville prompt list",
)
prompt.command("list")(list_prompts)
prompt.command("show")(show_prompt)
prompt.command("render")(render_prompt)
prompt.command("lint")(lint_prompts)
prompt.command("eject")(eject_prompts)
prompt.command("try")(try_prompt)
prompt.command("eval")(eval_prompts)
prompt.command("judge")(judge_prompts)
