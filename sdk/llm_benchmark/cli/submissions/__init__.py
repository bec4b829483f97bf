"""Claims and their verification."""
