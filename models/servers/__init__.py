"""Model servers: their addresses, what they report about themselves, and their errors."""
