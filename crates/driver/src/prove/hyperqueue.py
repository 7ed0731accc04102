# Hands tasks to a HyperQueue server and waits for them. Standard input is a JSON object: the server's folder, the working folder, and the
# commands. Standard output: `submitted`, then `failed INDEX REASON` for each task that HyperQueue gives up, then `ended`.
import json
import sys

from hyperqueue import Client, Job

request = json.load(sys.stdin)
client = Client(request["server"])
job = Job(default_workdir=request["folder"], max_fails=None, name="vergo prove")
for command in request["commands"]:
    job.program(command, stdout=None, stderr=None)
submitted = client.submit(job)
print("submitted", flush=True)
if not client.wait_for_jobs([submitted], raise_on_error=False):
    for index, context in client.get_failed_tasks(submitted).items():
        print("failed", index, " ".join(context.error.split()))
print("ended", flush=True)
