#!/usr/bin/env python3
"""usage: run_on_server.py MAYFLY COMMAND...: runs the command with libpq's environment naming a fresh server of ours."""
import subprocess
import sys

from server import Server

with Server(sys.argv[1]) as server:
    sys.exit(subprocess.run(sys.argv[2:], env=server.environment(), check=False).returncode)
