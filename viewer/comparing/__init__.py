"""Two runs side by side, and the point at which they diverge."""
