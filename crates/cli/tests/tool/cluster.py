# A HyperQueue server with two workers, for tests. Arguments: the server's folder. Prints `ready`; the end of standard input stops it.
import os
import sys

from hyperqueue import LocalCluster
from hyperqueue.cluster import WorkerConfig

cluster = LocalCluster(server_dir=sys.argv[1])
for _ in range(2):
    cluster.start_worker(WorkerConfig(cores=1))
print("ready", flush=True)
# Nobody reads on, and the server must be able to say what it likes.
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
sys.stdin.read()
os._exit(0)
