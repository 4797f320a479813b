"""Two runs compared: whether they are equal, where they part, and what each person then did."""
