"""Template tags of the website."""
