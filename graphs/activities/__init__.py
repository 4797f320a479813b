"""Knowledge of daily life: kinds of activities, uses of objects, and where things are done."""
