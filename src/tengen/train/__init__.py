"""Training: each method in a folder of its own, and the run folder that they share."""
