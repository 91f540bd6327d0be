"""A Mayfly server in a temporary directory, for tests from outside."""
import os
import shutil
import socket
import subprocess
import tempfile
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """Starts the program at `binary`; a context manager that ends it and removes its directory."""

    def __init__(self, binary):
        self.binary = binary
        self.dir = tempfile.mkdtemp(prefix="mayfly-test-")
        self.port = free_port()
        self.start()

    def start(self):
        self.log = open(os.path.join(self.dir, "log"), "ab")
        self.process = subprocess.Popen(
            [self.binary, "--data-dir", os.path.join(self.dir, "data"), "--host", "127.0.0.1", "--port", str(self.port),
             "--socket-dir", self.dir], stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError("the server did not start:\n" + open(self.log.name).read()) from None
                time.sleep(0.05)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def environment(self):
        return dict(os.environ, PGHOST=self.dir, PGPORT=str(self.port), PGUSER="postgres", PGDATABASE="mayfly", PGCONNECT_TIMEOUT="10")

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()
        self.log.close()
        shutil.rmtree(self.dir, ignore_errors=True)
