"""Whether this user sees the threads of a process of its own that hides its memory, as photo-worker does.

It ends with 0 when it sees them. The service looks there when a decoder's time is over.
"""

import ctypes
import os
import signal
import time

PR_SET_DUMPABLE = 4

child = os.fork()
if child == 0:
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    signal.pause()
time.sleep(0.3)
try:
    os.listdir(f"/proc/{child}/task")
finally:
    os.kill(child, signal.SIGKILL)
