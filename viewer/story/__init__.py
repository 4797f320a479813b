"""The town's story as pages: events, the newspaper, the paths of news, and relations."""
