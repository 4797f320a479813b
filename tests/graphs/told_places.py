"""Deeds in the words of capable writers, with where each of them is done, read by a person.

Most were written in one day of Nadia, Walter and Junko, and are hard for rules: they name places of
which they only speak, belong to a block about something else, or lead from one place to another.
"""

from typing import NamedTuple

BREAD = "fetching bread from Zielinski Bakery and inviting the baker to the lantern party"
COUNTER = "working at the counter of the Copper Kettle Cafe"
SHOPS = "going from shop to shop on the High Street to invite people and look for paper lanterns"
LANTERNS = "folding paper lanterns with my father in the living room"
ROUND = "walking my old postal round to jog my memory of 1987"
NAMES = "writing down the names on every letter box in Orchard Lane"
COMPLAINT = "complaining to the mayor at the Town Hall"
CHOIR = "knocking at Ottoline's door to ask for the choir"
LIST = "thinking over the reading evening and writing a list of pros and cons"
POSTER = "sketching a poster for the first reading evening"
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
    _told("Nadia", BAKERY, BREAD, "choosing the bread and buns for the cafe at the counter",
          BAKERY),
    _told("Nadia", BAKERY, BREAD,
          "inviting Piotr to the lantern party and asking what sixty buns would cost", BAKERY),
    _told("Nadia", BAKERY, BREAD,
          "carrying the bread to the cafe and stopping to invite whoever I meet on the square",
          CAFE),
    _told("Nadia", BAKERY, BREAD, "putting the bread into the baskets behind the counter",
          BAKERY, CAFE),
    _told("Nadia", BAKERY, BREAD, "carrying everything to the Copper Kettle Cafe", CAFE),
    _told("Nadia", CAFE, COUNTER, "making coffee for the first regulars at the espresso machine",
          CAFE),
    _told("Nadia", CAFE, COUNTER, "chalking the lantern party on the menu board by the counter",
          CAFE),
    _told("Nadia", CAFE, COUNTER, "baking a tray of scones in the kitchen oven",
          "Copper Kettle Cafe: kitchen"),
    _told("Nadia", CAFE, COUNTER, "telling the late customers about the lantern party", CAFE),
    _told("Nadia", CAFE, COUNTER, "writing a shopping list for the party behind the counter", CAFE),
    _told("Nadia", "Saffron Cottage: kitchen", LANTERNS,
          "baking buns for the party at the Copper Kettle Cafe", "Saffron Cottage: kitchen", CAFE),
    _told("Nadia", CAFE, SHOPS,
          "asking Desmond at Okoro Hardware and Garden for wire and paper lanterns",
          "Okoro Hardware and Garden: shop floor"),
    _told("Nadia", "Okoro Hardware and Garden: shop floor", SHOPS,
          "inviting Mateo at Rivas Grocery and ordering lemonade", "Rivas Grocery"),
    _told("Nadia", "Rivas Grocery: shop floor", SHOPS,
          "knocking at The Wooden Oar to invite Maeve before she hears it from others",
          "The Wooden Oar"),
    _told("Nadia", "The Wooden Oar: bar room", SHOPS, "carrying the wire and the paper home",
          "Saffron Cottage"),
    _told("Nadia", "Saffron Cottage: kitchen", LANTERNS,
          "cutting coloured paper at the living room table", "Saffron Cottage: living room"),
    _told("Nadia", "Saffron Cottage: living room", LANTERNS,
          "persuading Father to come to the party", "Saffron Cottage"),
    _told("Walter", "Weathervane Square: linden seats", ROUND,
          "walking home the long way past the closed post office counter", LARKSPUR),
    _told("Walter", "Weathervane Square: linden seats", ROUND,
          "sitting on a bench with my notebook and writing down names", "Weathervane Square",
          "Willow Park"),
    _told("Walter", "Town Library: archive", NAMES, "walking on to the Copper Kettle Cafe",
          "Copper Kettle Cafe"),
    _told("Walter", "Town Library: study room", NAMES,
          "drawing a small map of the 1987 round in my notebook", "Town Library", LARKSPUR),
    _told("Walter", "Larkspur Cottage: kitchen", COMPLAINT,
          "walking to the Town Hall with my list of complaints", LOBBY),
    _told("Walter", LOBBY, COMPLAINT, "waiting in the lobby until the mayor has time", LOBBY),
    _told("Walter", LOBBY, COMPLAINT, "asking the mayor why the post office counter had to close",
          "Town Hall"),
    _told("Walter", LOBBY, COMPLAINT, "sitting by the fountain on the square to cool down",
          "Weathervane Square: fountain court"),
    _told("Walter", LOBBY, COMPLAINT,
          "leaving a note for Vivian that there is a party at the Copper Kettle Cafe", LOBBY),
    _told("Walter", LOBBY, COMPLAINT, "walking across the square to the Copper Kettle Cafe",
          "Copper Kettle Cafe"),
    _told("Walter", LOBBY, COMPLAINT,
          "telling Tobias about the party at the Copper Kettle Cafe", LOBBY),
    _told("Walter", CAFE, "playing chess with Idris at the Copper Kettle Cafe",
          "bringing Idris a scone and asking what he remembers of 1987", CAFE),
    _told("Walter", "Larkspur Cottage: bedroom", "writing down one new page about 1987",
          "reading the page aloud to the empty kitchen", "Larkspur Cottage: kitchen"),
    _told("Walter", "Larkspur Cottage: bedroom", "",
          "writing an answer to Edda Lorne about the ferry house and the post of those days",
          LARKSPUR, "Town Library"),
    _told("Walter", "Larkspur Cottage: kitchen", CHOIR,
          "walking to Ottoline's house with a scone as an apology", "Thistle Cottage"),
    _told("Walter", "Thistle Cottage: living room", CHOIR,
          "asking Ottoline whether the choir would sing under the lanterns tonight",
          "Thistle Cottage"),
    _told("Walter", "Thistle Cottage: living room", CHOIR,
          "asking Ottoline whether the choir sings at Bell Hall", "Thistle Cottage"),
    _told("Walter", "Thistle Cottage: living room", CHOIR,
          "listening to her complaints about the bandstand", "Thistle Cottage"),
    _told("Walter", "Thistle Cottage: living room", CHOIR, "walking home along the river",
          LARKSPUR),
    _told("Walter", "Town Library: study room", "", "having a beer at The Wooden Oar",
          "The Wooden Oar: bar room"),
    _told("Walter", CAFE, "", "meeting Junko at the Paper Boat Bookshop to look at the map",
          BOOKSHOP),
    _told("Walter", "Bell Hall: main hall", "singing with the choir",
          "whispering the news of the day to the man next to me", "Bell Hall"),
    _told("Junko", "Linden Court: flat 1 bedroom", LIST, "making a pot of green tea in the kitchen",
          "Linden Court: flat 1 kitchen"),
    _told("Junko", "Linden Court: flat 1 bedroom", LIST,
          "adding up last month's sales on the back of an envelope", FLAT),
    _told("Junko", "Linden Court: flat 1 bedroom", LIST,
          "walking to the Copper Kettle Cafe with the notebook", "Copper Kettle Cafe"),
    _told("Junko", "Linden Court: flat 1 bedroom", POSTER,
          "colouring the lamp with an old box of crayons", FLAT),
    _told("Junko", f"{BOOKSHOP}: shop floor", SHOP,
          "carrying the old lamp from the back room to the reading corner", BOOKSHOP),
    _told("Junko", f"{BOOKSHOP}: shop floor", SHOP,
          "telling Theo about the party at the Copper Kettle Cafe", BOOKSHOP),
    _told("Junko", f"{BOOKSHOP}: shop floor", SHOP,
          "looking forward to lunch at the Copper Kettle Cafe", BOOKSHOP),
    _told("Junko", CAFE, "having coffee", "planning the reading evening at the Paper Boat Bookshop",
          "Copper Kettle Cafe"),
    _told("Junko", "Linden Court: flat 1 kitchen", "",
          "reading a story about a winter morning in Willow Park", FLAT),
    _told("Junko", f"{BOOKSHOP}: shop floor", SHOP, "counting the insects on the leaves",
          BOOKSHOP, "Willow Park"),
    _told("Junko", CAFE, "", "eating lunch at the shop", f"{BOOKSHOP}: shop floor"),
)  # fmt: skip
"""The deeds, each with the places that fit."""
