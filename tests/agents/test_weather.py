"""The weather by rule: the same for everybody, fitting the season, changing within a day."""

from datetime import date, timedelta

from smolville.agents.entities import PARTS, day_in_words, season_of, weather_at

DAYS = [date(2024, 1, 1) + timedelta(days=each) for each in range(366)]
NAMES = [name for name, _ in PARTS]


def test_it_snows_in_winter_alone_and_only_when_it_is_cold() -> None:
    snowy = [
        (day, weather_at(seed, day, part))
        for seed in range(5)
        for day in DAYS
        for part in NAMES
        if weather_at(seed, day, part).sky == "snow"
    ]
    assert {season_of(day) for day, _ in snowy} == {"winter"}
    assert max(weather.degrees for _, weather in snowy) <= 1


def test_summer_is_warmer_than_spring_and_spring_than_winter() -> None:
    def mean(season: str) -> float:
        found = [
            weather_at(0, day, "afternoon").degrees for day in DAYS if season_of(day) == season
        ]
        return sum(found) / len(found)

    assert mean("winter") + 5 < mean("spring") < mean("summer") - 5


def test_a_days_words_name_each_change_of_the_sky() -> None:
    for day in DAYS[:60]:
        skies = [weather_at(1, day, part).sky for part in NAMES]
        told = day_in_words(1, day)
        assert all(sky in told for sky in skies)
        assert ("all day" in told) == (len(set(skies)) == 1)
