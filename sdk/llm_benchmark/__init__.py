"""Measure, submit and reproduce LLM benchmark results."""

__version__ = "0.1.0"
