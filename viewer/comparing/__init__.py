"""Two runs side by side, and where they part."""
