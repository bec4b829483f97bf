"""A sweep over 19 simulated deployments, by us and by LLM Benchmark Manager: `make bench-campaign`."""
