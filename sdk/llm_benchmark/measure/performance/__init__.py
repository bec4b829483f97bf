"""Performance runs: AIPerf against one endpoint, through our gateway, and what its sessions are worth."""
