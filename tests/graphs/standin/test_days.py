"""The stand-in's days: sleep, meals and work at their hours, promises kept, no day like another."""

from smolville.graphs.context import who_of

PARTY = "Rosa Marin is giving a lantern party at the Copper Kettle on Tuesday 7 May at 5pm."


def spans(hours):
    ends = [start for start, _ in hours[1:]] + [1440]
    return [(start, end, activity) for (start, activity), end in zip(hours, ends, strict=True)]


def at(hours, minute):
    return next(activity for start, end, activity in spans(hours) if start <= minute < end)


def test_every_persona_gets_a_day_that_reads_clean(town, persona):
    outline, hours = town.plan(persona)
    assert len({outline["morning"], outline["afternoon"], outline["evening"]}) == 3
    assert 10 <= len(hours) <= 19


def test_everybody_sleeps_at_least_six_hours(town, persona):
    _, hours = town.plan(persona)
    assert hours[-1][1] == "sleeping"
    assert hours[1][0] + 1440 - hours[-1][0] >= 6 * 60


def test_everybody_washes_and_eats_three_times(town, persona):
    _, hours = town.plan(persona)
    text = " ".join(activity for _, activity in hours)
    assert any(word in text for word in ("wash", "getting ready"))
    for meal in ("breakfast", "lunch", "dinner"):
        assert meal in text, text


def test_no_activity_of_a_day_is_said_twice(town, persona):
    _, hours = town.plan(persona)
    activities = [activity for _, activity in hours[1:]]
    stand = {"having lunch", "having dinner"}
    twice = {each for each in activities if activities.count(each) > 1} - stand
    assert all(each.split()[0] != "again" for each in twice) and len(twice) <= 2


def test_work_is_done_at_its_hours(town, own):
    _, hours = town.plan(own["Rosa"])
    assert at(hours, 8 * 60 + 5) == "working at the counter of the Copper Kettle"
    words = ("counter", "café", "coffee", "Copper Kettle")
    assert any(word in at(hours, 16 * 60) for word in words)
    assert not any(word in at(hours, 17 * 60 + 30) for word in words)


def test_an_order_without_a_subject_is_understood_too(town, own):
    _, hours = town.plan(own["Tom"])
    assert at(hours, 5 * 60 + 30) == "baking bread"


def test_people_wake_when_their_habits_say_so(town, own):
    for name, usual in (("Rosa", 360), ("Tom", 270), ("Ida", 540)):
        outline, _ = town.plan(own[name])
        wake = int(outline["wake"][:2]) * 60 + int(outline["wake"][3:])
        assert abs(wake - usual) <= 30, name


def test_an_invitation_heard_before_is_planned_for_its_day(town, own):
    outline, hours = town.plan(own["Tom"], "Tuesday 7 May", [PARTY])
    assert [each["start"] for each in outline["dated"]] == ["17:00"]
    assert (17 * 60, "attending the lantern party at the Copper Kettle") in hours


def test_an_invitation_is_planned_for_no_other_day(town, own):
    for date in ("Monday 6 May", "Friday 17 May"):
        outline, hours = town.plan(own["Tom"], date, [PARTY])
        assert outline["dated"] == [] and "party" not in str(hours)


def test_the_host_holds_the_party(town, own):
    _, hours = town.plan(own["Rosa"], "Tuesday 7 May")
    assert (17 * 60, "hosting the lantern party at the Copper Kettle") in hours


def test_days_differ_by_seed(town, persona):
    days = {str(town.plan(persona, seed=seed)) for seed in (1, 2, 3)}
    assert len(days) == 3


def test_a_new_day_begins_with_what_yesterday_brought(town, own, recall):

    tom = own["Tom"]
    answer = town.ask(
        "revise_identity",
        town.given(
            "revise_identity",
            me=who_of(tom, tom.currently),
            date="Tuesday 7 May",
            requirement=tom.daily_requirement,
            usual=tom.daily_requirement,
            memories=recall([PARTY, "Tom Reed is washing the dishes"]),
        ),
    ).answer
    assert "lantern party" in answer["currently"]
    assert answer["requirement"].startswith(tom.daily_requirement)
    assert "attending the lantern party at the Copper Kettle at 17:00" in answer["requirement"]
