"""The town itself: map, places, perception, the world adapter, the engine and open runs."""
