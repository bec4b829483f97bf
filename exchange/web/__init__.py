"""The plumbing of the doors for people: base page, components, static files, charts."""
