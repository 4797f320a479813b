"""New people of a town: the questions whose answers describe them, and the files that change."""
