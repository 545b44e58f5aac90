"""AlphaZero: a network that learns from the games it plays against itself."""
