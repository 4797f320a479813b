"""Who lives in the town: personas, minds, plans and memories, without any model or world."""
