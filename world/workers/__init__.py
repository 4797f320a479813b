"""Thoughts in other processes: what crosses, who sends it, and the cluster it is sent to."""
