"""Taking part in a town: interviews, talks, whispers, changes, forks."""
