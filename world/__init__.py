"""The town itself: map, places, perception, the adapter, the engine and the run on disk."""
