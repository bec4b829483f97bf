"""Whether this process can work: for orchestrators, load balancers and people."""
