"""Benchmarks: found, written, moved."""
