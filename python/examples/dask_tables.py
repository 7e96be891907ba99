"""dask_tables.py [COUNT [WORKERS]]: the random tables of tabletops.py on workers of Dask, here or on a cluster.

$DASK_SCHEDULER names a scheduler that runs already; without it workers are started on this machine. Ends with 77 where Dask is absent.
"""
import os
import sys

try:
    from dask.distributed import Client, LocalCluster, as_completed
except ImportError:
    print("skipped: Dask is not installed (python3-distributed)")
    sys.exit(77)


def settle(seed):
    """On a worker: one table, settled and judged."""
    from tabletops import random_table, settled

    how, verdict = settled(random_table(seed))
    return seed, how, verdict["verdict"], repr(verdict["gap"])


def main(count, workers):
    address = os.environ.get("DASK_SCHEDULER")
    cluster = None if address else LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
    with Client(address or cluster) as client:
        results = [future.result() for future in as_completed(client.map(settle, range(count), retries=2))]
    if cluster:
        cluster.close()
    proven = sum(verdict == "proven" for _, _, verdict, _ in results)
    for seed, how, verdict, _ in sorted(results):
        print(f"table {seed}: {how}, {verdict}")
    print(f"{proven} of {count} tables proven")
    # whoever settles a table, it ends with the same bits
    if results and settle(0)[3] != dict((seed, state) for seed, _, _, state in results)[0]:
        sys.exit("a worker's table differs from this process's")
    return 0 if proven >= 0.99 * count - 1 else 1


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    os.environ["PYTHONPATH"] = os.pathsep.join([sys.path[0], os.environ.get("PYTHONPATH", "")])
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, int(sys.argv[2]) if len(sys.argv) > 2 else 2))
