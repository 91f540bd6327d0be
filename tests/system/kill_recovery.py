#!/usr/bin/env python3
"""usage: kill_recovery.py MAYFLY [SEED]: kills the server while sessions commit, restarts it, and looks for what it promised.

Every acknowledged row must be there with its tag, and no row of the transaction that never commits.
"""
import random
import subprocess
import sys
import threading
import time

from server import Server

ROUNDS = 4
WRITERS = 3
SETUP = """CREATE TABLE kept (id text PRIMARY KEY, ts timestamptz)
  WITH ('table.kv.row.ttl' = '1000 days', 'table.kv.row.ttl.time-column' = 'ts');"""


def psql(server, sql):
    done = subprocess.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql], env=server.environment(), capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{sql}: {done.stderr}")
    return done.stdout.strip()


def write(server, writer, round_number, acknowledged):
    """Inserts row after row; psql prints a row's id once its commit is acknowledged."""
    session = subprocess.Popen(["psql", "-XAtq"], env=server.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True, bufsize=1)
    try:
        for number in range(1_000_000):
            session.stdin.write(f"INSERT INTO kept VALUES ('{round_number}-{writer}-{number}', now()) RETURNING id, row_ttl_timestamp;\n")
            line = session.stdout.readline().strip()
            if not line:
                break
            key, tag = line.split("|")
            acknowledged[key] = tag
    except OSError:
        pass  # The server was killed: psql has ended.
    session.kill()
    session.wait()


def main():
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 30)
    print("seed", seed, flush=True)
    moments = random.Random(seed)
    acknowledged = {}
    with Server(sys.argv[1]) as server:
        psql(server, SETUP)
        for round_number in range(ROUNDS):
            open_transaction = subprocess.Popen(["psql", "-XAtq"], env=server.environment(), stdin=subprocess.PIPE, text=True,
                                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            open_transaction.stdin.write(f"BEGIN; INSERT INTO kept VALUES ('open-{round_number}', now());\n")
            open_transaction.stdin.flush()
            writers = [threading.Thread(target=write, args=(server, w, round_number, acknowledged)) for w in range(WRITERS)]
            for writer in writers:
                writer.start()
            time.sleep(0.3 + moments.random())  # The random moment itself, not a wait for anything.
            server.kill()
            for writer in writers:
                writer.join()
            open_transaction.kill()
            open_transaction.wait()
            server.start()
            stored = dict(line.split("|") for line in psql(server, "SELECT id, row_ttl_timestamp FROM kept").splitlines())
            lost = {key: tag for key, tag in acknowledged.items() if stored.get(key) != tag}
            ghosts = [key for key in stored if key.startswith("open-")]
            print(f"round {round_number}: {len(acknowledged)} acknowledged, {len(stored)} stored, {len(lost)} lost, {len(ghosts)} uncommitted")
            if lost or ghosts or not acknowledged:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
