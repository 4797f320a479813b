"""Drift alarms: signs that a town's life goes round in circles or grows out of bounds."""
