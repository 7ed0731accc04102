# A HyperQueue server with two workers, for tests. Arguments: the server's folder. Prints `ready`; a line on standard input has the
# second worker lost, as when its machine loses the network; the end of standard input stops the server.
import os
import socket
import sys
import time

from hyperqueue import LocalCluster
from hyperqueue.cluster import WorkerConfig


def connections():
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            if os.readlink("/proc/self/fd/" + name).startswith("socket:"):
                one = socket.socket(fileno=os.dup(int(name)))
                if one.family in (socket.AF_INET, socket.AF_INET6):
                    one.getpeername()
                    found[int(name)] = one
        except OSError:
            pass
    return found


cluster = LocalCluster(server_dir=sys.argv[1])
cluster.start_worker(WorkerConfig(cores=1))
time.sleep(1)
before = set(connections())
cluster.start_worker(WorkerConfig(cores=1))
time.sleep(1)
second = {fd: one for fd, one in connections().items() if fd not in before}
print("ready", flush=True)
for line in sys.stdin:
    for one in second.values():
        one.shutdown(socket.SHUT_RDWR)
    print("lost", flush=True)
os._exit(0)
