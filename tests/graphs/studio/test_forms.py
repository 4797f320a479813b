"""What is filled in otherwise is asked otherwise; what cannot be used is refused in a sentence."""

import pytest

from smolville.graphs.studio.form import FormError
from smolville.lab import studio
from smolville.prompts.folder import shipped_texts

STANDIN = {"model": "standin"}


async def _asked(**fields):
    """Return the messages that `heed_inner_voice` is asked with, as one text."""
    done = await studio.heed_inner_voice.ainvoke(STANDIN | fields)
    return "\n".join(each["text"] for each in done["attempts"][0]["messages"])


async def test_a_changed_word_changes_the_messages():
    before, after = await _asked(), await _asked(whisper="You are afraid of geese.")
    assert "geese" in after and "geese" not in before
    assert len(before.splitlines()) == len(after.splitlines())


async def test_a_changed_card_changes_the_messages():
    me = studio.heed_inner_voice.get_input_jsonschema()["properties"]["me"]["default"]
    assert "tired, but brave" in await _asked(me=me | {"innate": "tired, but brave"})


async def test_a_folder_of_templates_is_laid_over_the_shipped_ones_and_read_anew(tmp_path):
    file = tmp_path / "heed_inner_voice.jinja"
    text = shipped_texts()[file.name]
    for word in ("WHISPERED", "MURMURED"):
        file.write_text(text.replace("{{ whisper }}", f"{word}: {{{{ whisper }}}}"))
        assert f"{word}: You want to hold a dance" in await _asked(prompts=str(tmp_path))
    assert "MURMURED" not in await _asked(prompts="shipped")


async def test_every_attempt_is_told_with_what_was_wrong():
    done = await studio.say.ainvoke({"model": "standin:missing=1.0"})
    assert len(done["attempts"]) > 1
    first, second = done["attempts"][:2]
    assert not first["accepted"] and first["problems"]
    assert second["messages"][: len(first["messages"])] == first["messages"]
    assert [each["role"] for each in second["messages"][-2:]] == ["assistant", "user"]
    assert first["problems"][0] in second["messages"][-1]["text"]


async def test_another_seed_asks_another_time():
    said = {
        (await studio.say.ainvoke(STANDIN | {"seed": seed}))["answer"]["text"] for seed in range(6)
    }
    assert len(said) > 1


async def test_the_same_form_gives_the_same_answer():
    first, second = [await studio.mind.ainvoke(STANDIN) for _ in range(2)]
    assert {**first, "steps": None} == {**second, "steps": None}


async def test_an_empty_model_is_the_variables(monkeypatch):
    monkeypatch.setenv("SMOLVILLE_MODEL", "standin:mistakes=0.0")
    done = await studio.choose_place.ainvoke({"model": ""})
    assert done["answered_by"] == "standin:mistakes=0.0: chosen by you."


async def test_without_a_word_on_the_model_one_is_found(monkeypatch, unused_tcp_port):
    monkeypatch.delenv("SMOLVILLE_MODEL", raising=False)
    monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{unused_tcp_port}")
    done = await studio.choose_place.ainvoke({"model": " "})
    assert "no Ollama answers at" in done["answered_by"]


ROSA = studio.say.get_input_jsonschema()["properties"]["me"]["default"]


@pytest.mark.parametrize(
    ("graph", "given", "told"),
    [
        ("plan_day", {"model": "olama:mistral"}, "Did you mean ollama:mistral?"),
        ("plan_day", {"model": "standin:mistakes=many"}, "does not open"),
        ("plan_day", {"prompts": "no/such/folder"}, "there is no folder of templates"),
        ("plan_day", {"seed": -1}, "`seed`: got -1; input should be greater than"),
        ("plan_day", {"me": {**ROSA, "age": "old"}}, "`me.age`: got 'old'; input should be"),
        ("plan_day", {"me": {**ROSA, "name": "Rosa"}}, "write a first and a last name"),
        ("plan_day", {"me": {"name": "Rosa Marin"}}, "and 5 more."),
        ("mind", {"time": "soon"}, "`time`: 'soon' is not a town time"),
        ("mind", {"until": "noon"}, "`until`: got 'noon', which is no clock"),
        ("mind", {"planned": [{"time": "25:00", "activity": "x"}]}, "`planned.time`: got '25:00'"),
        (
            "mind",
            {"rooms": [{"place": "Marin Café: counter room", "states": ["till: empty"]}]},
            "'Marin Café: counter room' has no objects.",
        ),
        ("talk", {"most_lines": 99}, "`most_lines`: got 99; input should be less than"),
        ("action", {"planned": []}, "`planned`: the phase `action` needs a plan"),
        ("reaction", {"people": [], "time": "1 23:50"}, "`people`: nobody new is there"),
    ],
)
async def test_what_cannot_be_used_is_told_in_a_sentence(graph, given, told):
    with pytest.raises(FormError) as error:
        await getattr(studio, graph).ainvoke(STANDIN | given)
    assert told in str(error.value) and "\n" not in str(error.value)


async def test_nobody_talks_to_themselves():
    first = studio.talk.get_input_jsonschema()["properties"]["first"]["default"]
    with pytest.raises(FormError, match="Rosa Marin cannot talk to themselves"):
        await studio.talk.ainvoke(STANDIN | {"second": first})


async def test_a_template_that_does_not_fit_names_its_file(tmp_path):
    (tmp_path / "say.jinja").write_text("{# x #}\n{% block system %}{{ nobody }}{% endblock %}")
    with pytest.raises(FormError, match=r"say\.jinja"):
        await studio.say.ainvoke(STANDIN | {"prompts": str(tmp_path)})


async def test_a_server_that_is_not_there_is_named(unused_tcp_port):
    address = f"127.0.0.1:{unused_tcp_port}"
    with pytest.raises(FormError, match=address):
        await studio.say.ainvoke({"model": f"llamacpp:http://{address}"})
