"""`/metrics`: what the database says of the exchange, so that every web process answers alike."""
