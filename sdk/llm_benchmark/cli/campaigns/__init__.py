"""Commands about campaigns and the models that they check."""
