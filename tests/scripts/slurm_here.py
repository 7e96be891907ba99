"""A Slurm of one node in a folder of its own, for tests: munge, controller and node, started and ended with the test."""
import os
import shutil
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "sinfo")
SETTINGS = """ClusterName=here
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
SlurmUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldPort={controller}
SlurmdPort={node}
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=here Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def program(name):
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")


def missing():
    """What it takes and is not there; empty: nothing."""
    return [name for name in PROGRAMS if program(name) is None] + ([] if os.getuid() == 0 else ["the right to start it (root)"])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class SlurmHere:
    """Running between enter and exit; SLURM_CONF names it to its programs."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []

    def start(self, name, *words):
        log = open(self.folder / f"{name}.log", "w")
        self.processes.append(subprocess.Popen([program(name), *words], stdout=log, stderr=subprocess.STDOUT))
        time.sleep(1)

    def __enter__(self):
        folder, host = self.folder, socket.gethostname().split(".")[0]
        for name in ("state", "spool"):
            (folder / name).mkdir(parents=True)
        folder.chmod(0o755)
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        settings = folder / "slurm.conf"
        settings.write_text(SETTINGS.format(host=host, folder=folder, controller=free_port(), node=free_port()))
        os.environ["SLURM_CONF"] = str(settings)
        self.start("munged", "--foreground", "--force", f"--socket={folder}/munge.sock", f"--key-file={key}", f"--pid-file={folder}/munge.pid",
                   f"--seed-file={folder}/munge.seed")
        self.start("slurmctld", "-D", "-i")
        self.start("slurmd", "-D", "-N", host)
        until = time.time() + 120
        while "idle" not in subprocess.run(["sinfo", "-h", "-o", "%t"], capture_output=True, text=True).stdout:
            if time.time() > until:
                self.__exit__()
                raise SystemExit("farm: Slurm did not come up: " + (folder / "slurmctld.log").read_text()[-2000:])
            time.sleep(0.5)
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            process.wait()
