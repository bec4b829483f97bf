"""Whether this process was asked to end. What takes long looks here, and hands over what it has not done."""

import threading

asked = threading.Event()
