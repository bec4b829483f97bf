"""The services of the client, one a part of the API."""
