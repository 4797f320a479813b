"""What is known of daily life: kinds of activities, what objects are for, where things are done."""
