"""Whoever must not be reached."""

import socket
from contextlib import suppress


class Victim:
    """Listens on this machine, over IPv4 and IPv6, and knows whether anybody came."""

    def __init__(self, stack, *, host="127.0.0.1", port=0):
        self._sockets = [stack.enter_context(socket.create_server((host, port)))]
        self.port = self._sockets[0].getsockname()[1]
        with suppress(OSError):  # no IPv6, or the port is taken there
            v6 = socket.create_server(("::1", self.port), family=socket.AF_INET6)
            self._sockets.append(stack.enter_context(v6))
        for each in self._sockets:
            each.setblocking(False)

    @property
    def was_reached(self):
        for each in self._sockets:
            with suppress(BlockingIOError):
                each.accept()
                return True
        return False
