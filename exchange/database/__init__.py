"""PostgreSQL as the exchange needs it: two roles, and migrations beside a site that goes on."""
