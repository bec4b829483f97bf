"""Who asks, and what this machine keeps."""
