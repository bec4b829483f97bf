"""Between Granian and Django: one loop waits for clients, a few threads work, as in the gRPC process.

Granian's own WSGI gives a client its thread for as long as the client takes: twelve that send or read a byte
a second would be the whole site. Here a request has arrived before it gets a thread, and its answer is all
there before it begins to leave.
"""
