"""Deeds in the words of capable writers, with where each of them is done, read by a person.

Most were written in one day of Nadia, Walter and Junko, and are hard for rules: they name places of
which they only speak, belong to a block about something else, or lead from one place to another.
"""

from typing import NamedTuple

BREAD = "fetching bread from Zielinski Bakery and inviting the baker to the lantern party"
COUNTER = "working at the counter of the Copper Kettle Cafe"
SHOPS = "going from shop to shop on the High Street to invite people and look for paper lanterns"
ROUND = "walking my old postal round to jog my memory of 1987"
COMPLAINT = "complaining to the mayor at the Town Hall"
CHOIR = "knocking at Ottoline's door to ask for the choir"
LIST = "thinking over the reading evening and writing a list of pros and cons"
SHOP = "working at the Paper Boat Bookshop"

CAFE, BAKERY = "Copper Kettle Cafe: main room", "Zielinski Bakery: shop"
LOBBY, LARKSPUR = "Town Hall: lobby", "Larkspur Cottage"
BOOKSHOP, FLAT = "Paper Boat Bookshop", "Linden Court: flat 1"


class Told(NamedTuple):
    """A deed of somebody who stands somewhere, as a part of a block of the plan."""

    who: str
    here: str
    part_of: str
    activity: str
    right: tuple[str, ...]
    """Beginnings of the addresses of the places that fit."""


def _told(who: str, here: str, part_of: str, activity: str, *right: str) -> Told:
    return Told(who, here, part_of, activity, right)


TOLD = (
    _told("Nadia", "Saffron Cottage: kitchen", BREAD,
          "walking to Zielinski Bakery with two empty baskets", BAKERY),
    _told("Nadia", BAKERY, BREAD,
          "carrying the bread to the cafe and stopping to invite whoever I meet on the square",
          CAFE),
    _told("Nadia", CAFE, COUNTER, "baking a tray of scones in the kitchen oven",
          "Copper Kettle Cafe: kitchen"),
    _told("Nadia", CAFE, COUNTER, "writing a shopping list for the party behind the counter", CAFE),
    _told("Nadia", "Okoro Hardware and Garden: shop floor", SHOPS,
          "inviting Mateo at Rivas Grocery and ordering lemonade", "Rivas Grocery"),
    _told("Nadia", "The Wooden Oar: bar room", SHOPS, "carrying the wire and the paper home",
          "Saffron Cottage"),
    _told("Walter", "Weathervane Square: linden seats", ROUND,
          "walking home the long way past the closed post office counter", LARKSPUR),
    _told("Walter", LOBBY, COMPLAINT,
          "telling Tobias about the party at the Copper Kettle Cafe", LOBBY),
    _told("Walter", CAFE, "playing chess with Idris at the Copper Kettle Cafe",
          "bringing Idris a scone and asking what he remembers of 1987", CAFE),
    _told("Walter", "Larkspur Cottage: bedroom", "writing down one new page about 1987",
          "reading the page aloud to the empty kitchen", "Larkspur Cottage: kitchen"),
    _told("Walter", "Thistle Cottage: living room", CHOIR,
          "asking Ottoline whether the choir sings at Bell Hall", "Thistle Cottage"),
    _told("Walter", "Town Library: study room", "", "having a beer at The Wooden Oar",
          "The Wooden Oar: bar room"),
    _told("Walter", CAFE, "", "meeting Junko at the Paper Boat Bookshop to look at the map",
          BOOKSHOP),
    _told("Junko", "Linden Court: flat 1 bedroom", LIST, "making a pot of green tea in the kitchen",
          "Linden Court: flat 1 kitchen"),
    _told("Junko", f"{BOOKSHOP}: shop floor", SHOP,
          "looking forward to lunch at the Copper Kettle Cafe", BOOKSHOP),
    _told("Junko", "Linden Court: flat 1 kitchen", "",
          "reading a story about a winter morning in Willow Park", FLAT),
    _told("Junko", CAFE, "", "eating lunch at the shop", f"{BOOKSHOP}: shop floor"),
)  # fmt: skip
"""The deeds, each with the places that fit."""
