"""`smolville new`: towns and people from templates and a model."""
