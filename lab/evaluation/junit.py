"""JUnit XML of an evaluation, as CI servers read it: a test case for each moment and variant."""

from pathlib import Path
from xml.etree import ElementTree

from smolville.agents.wording import visible
from smolville.lab.evaluation.results import Evaluation, Result
from smolville.lab.safe_files import written_whole


def write_junit(path: Path, evaluation: Evaluation) -> None:
    """Write the results; a moment fails whose answer, in any turn, is objected to or missing."""
    root = ElementTree.Element("testsuites", name="smolville prompt eval")
    for name, results in zip(evaluation.variants, evaluation.by_variant(), strict=True):
        suite = ElementTree.SubElement(root, "testsuite", name=visible(name.label))
        failures = 0
        for moment, step in evaluation.moments.items():
            answers = [each for each in results if each.moment == moment]
            seconds = sum(each.milliseconds for each in answers) / 1000
            case = ElementTree.SubElement(
                suite, "testcase", classname=step, name=visible(moment), time=f"{seconds:.3f}"
            )
            told = [_told(each) for each in answers if each.is_objected_to]
            if told or not answers:
                failures += 1
                message, *more = (told or [["not asked"]])[0]
                failure = ElementTree.SubElement(case, "failure", message=message)
                failure.text = "\n\n".join("\n".join(each) for each in told) if more else None
        suite.attrib.update(tests=str(len(evaluation.moments)), failures=str(failures))
    ElementTree.indent(root)
    with written_whole(path) as draft:
        ElementTree.ElementTree(root).write(draft, encoding="utf-8", xml_declaration=True)


def _told(result: Result) -> list[str]:
    """Return why an answer is objected to, and the first reply."""
    if result.outcome is None:
        return ["The prompt does not fit the model's context."]
    why = result.odd if result.is_valid else ("No answer was accepted.", *result.problems)
    return [visible(each) for each in (*why, f"First reply: {result.reply}")]
