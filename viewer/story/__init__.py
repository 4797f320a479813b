"""The town's story as pages: what happened, the newspaper, who told whom, who is close to whom."""
