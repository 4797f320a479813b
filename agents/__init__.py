"""The agents: personas, minds, plans and memories, independent of any model or world."""
