"""Addresses of places: `sector: arena: object`, joined by a colon and a space."""

from functools import lru_cache

OUTDOORS = "outdoors"
"""The address of streets and lawns, which belong to no sector."""


@lru_cache(maxsize=4096)
def split_address(address: str) -> tuple[str, ...]:
    """Return the parts of an address, sector first."""
    return tuple(part.strip() for part in address.split(":"))


def join_address(*parts: str) -> str:
    """Return the address made of `parts`; empty parts are left out."""
    return ": ".join(part for part in parts if part)


@lru_cache(maxsize=4096)
def sector_of(address: str) -> str:
    """Return the sector of an address."""
    return split_address(address)[0]


@lru_cache(maxsize=4096)
def arena_of(address: str) -> str:
    """Return the `sector: arena` part of an address (only the sector if it names no arena)."""
    return join_address(*split_address(address)[:2])


def object_of(address: str) -> str:
    """Return the object of an address, or an empty text if it names none."""
    parts = split_address(address)
    return parts[2] if len(parts) > 2 else ""
