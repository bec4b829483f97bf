"""Run inside an image, below its first process: leave a grandchild behind, and see who takes it in."""

import os
import signal
import sys
import time

signal.alarm(30)
known, told = os.pipe()
if os.fork() == 0:
    parent = os.getpid()
    if os.fork() == 0:
        while os.getppid() == parent:
            time.sleep(0.01)
        os.write(told, f"{os.getpid()} {os.getppid()}".encode())
    os._exit(0)
os.wait()
orphan, taken_in_by = map(int, os.read(known, 100).split())
if taken_in_by != os.getppid():
    sys.exit(f"taken in by {taken_in_by}, not by {os.getppid()}")
while os.path.exists(f"/proc/{orphan}"):
    time.sleep(0.01)
print("reaped")
