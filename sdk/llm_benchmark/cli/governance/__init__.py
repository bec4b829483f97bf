"""Proposals and votes."""
