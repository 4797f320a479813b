"""The browser app, which shows a run as a town to watch, during the run or afterwards."""
