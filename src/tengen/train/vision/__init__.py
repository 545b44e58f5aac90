"""Learning to read pictures of boards: S1's recogniser, and the nets of ``tengen see``."""
