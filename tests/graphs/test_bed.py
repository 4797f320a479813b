"""Where somebody sleeps: in a bed at home that is not taken."""

from smolville.agents.mind import KnownPlace
from smolville.graphs.settled_places import bed_spot
from tests.graphs.minds import ADA, mind_of, thinker


def test_one_sleeps_in_a_bed_of_ones_own_that_is_free():
    two = {ADA.home: KnownPlace(objects=("bed", "other bed", "flower bedding"))}
    me = thinker()
    first = bed_spot(me, mind_of(places=two))
    assert first.place in {f"{ADA.home}: bed", f"{ADA.home}: other bed"}
    assert first.object_state == "being slept in by Ada Brook"
    second = bed_spot(me, mind_of(places=two, refused=(first.place,)))
    assert second.place != first.place and second.place.endswith("bed")
    none = bed_spot(me, mind_of(places=two, refused=(first.place, second.place)))
    assert (none.place, none.object_state) == (ADA.home, "")
