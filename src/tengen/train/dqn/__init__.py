"""Deep Q-learning: the methods of S0, S1 and S2, and what the same idea does when it is done right."""
