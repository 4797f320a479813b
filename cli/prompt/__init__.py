"""`smolville prompt`: templates shown, rendered, checked, copied out, tried and measured."""
