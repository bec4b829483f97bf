"""`make demo`: two providers, real measurements, honest and dishonest claims, and what the platform says."""
