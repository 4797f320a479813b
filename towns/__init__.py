"""The shipped towns: data, read by `world.town.town`."""
