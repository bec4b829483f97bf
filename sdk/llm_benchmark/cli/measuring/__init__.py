"""Endpoints, and measuring them at home."""
