"""Drift alarms: signs that the life of a town goes round in circles or grows without bounds."""
