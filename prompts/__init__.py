"""What a model is told: one Jinja template per cognitive step, held to its input model."""
