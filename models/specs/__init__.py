"""How model specs are written: kinds, addresses, settings, and what may not stand in one."""
