"""Thoughts in other processes: the messages, their dispatch, and the cluster of workers."""
