#!/usr/bin/env python3
"""The program from outside: options, files, signals, exit codes. usage: program_test.py PATH-TO-MAYFLY"""
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import unittest

MAYFLY = sys.argv.pop(1) if len(sys.argv) > 1 else "build/debug/mayfly"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def read_message(stream):
    head = stream.read(5)
    if len(head) < 5:
        return None, b""
    return head[:1].decode(), stream.read(struct.unpack(">I", head[1:])[0] - 4)


def query(address, text, user="postgres", database="mayfly"):
    """The first value of the first row, or the error's fields as a dictionary."""
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    with socket.socket(family) as s:
        s.settimeout(20)
        s.connect(address)
        body = struct.pack(">I", 3 << 16) + b"user\0%s\0database\0%s\0\0" % (user.encode(), database.encode())
        s.sendall(struct.pack(">I", len(body) + 4) + body)
        try:
            s.sendall(b"Q" + struct.pack(">I", len(text) + 5) + text.encode() + b"\0")
        except BrokenPipeError:
            pass  # refused already: the reason can still be read
        stream, ready, value = s.makefile("rb"), 0, None
        while ready < 2:
            tag, body = read_message(stream)
            if tag is None:
                return value
            if tag == "E":
                value = {f[:1].decode(): f[1:].decode() for f in body.split(b"\0") if f}
            if tag == "D" and value is None:
                size, = struct.unpack_from(">i", body, 2)
                value = body[6:6 + size].decode()
            ready += tag == "Z"
        return value


class Server:
    """A running server, ready for clients."""

    def __init__(self, directory, *options, port=None):
        self.port = port or free_port()
        self.command = [MAYFLY, "--data-dir", directory + "/data", "--socket-dir", directory, "--port", str(self.port), *options]
        self.process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True)
        self.lines = []
        for line in self.process.stderr:
            self.lines.append(line)
            if 'msg="ready"' in line:
                return
        raise AssertionError("the server did not start: " + "".join(self.lines))

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        rest = self.process.communicate(timeout=60)[1]
        return self.process.returncode, "".join(self.lines) + rest


def run(*options):
    done = subprocess.run([MAYFLY, *options], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.directory = self.temporary.name
        self.servers = []
        self.addCleanup(self.clean_up)

    def clean_up(self):
        for server in self.servers:
            if server.process.poll() is None:
                server.process.kill()
                server.process.communicate()
        self.temporary.cleanup()

    def start(self, *options, **keywords):
        self.servers.append(Server(self.directory, *options, **keywords))
        return self.servers[-1]

    def write(self, name, text, mode=0o600):
        path = os.path.join(self.directory, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def test_help_and_version(self):
        code, out, _ = run("--help")
        self.assertEqual(code, 0)
        for option in "data-dir host port socket-dir config log-level version help".split():
            self.assertIn("--" + option, out)
        self.assertEqual(run("--version")[0], 0)
        self.assertRegex(run("--version")[1], r"^mayfly \d")
        self.assertEqual(run("--nosuch")[0], 2)

    def test_a_life(self):
        server = self.start()
        path = "%s/.s.PGSQL.%d" % (self.directory, server.port)
        self.assertEqual(query(("127.0.0.1", server.port), "SELECT 1"), "1")
        self.assertEqual(query(path, "SELECT 2"), "2")
        self.assertEqual(query(path, "SELECT 1", user="nobody")["C"], "28000")
        self.assertEqual(query(path, "SELECT 1", database="nosuch")["C"], "3D000")
        code, log = server.stop()
        self.assertEqual(code, 0, log)
        self.assertIn('msg="stopped"', log)
        for line in log.splitlines():
            self.assertRegex(line, r'^time=\S+Z level=\w+ msg="')
        self.assertFalse(os.path.exists(path))
        self.assertFalse(os.path.exists(path + ".lock"))

    def test_interrupt_stops_it_too(self):
        self.assertEqual(self.start().stop(signal.SIGINT)[0], 0)

    def test_hangup_does_not(self):
        server = self.start()
        server.process.send_signal(signal.SIGHUP)
        self.assertEqual(query(("127.0.0.1", server.port), "SELECT 1"), "1")

    def test_it_comes_back_after_kill(self):
        server = self.start()
        query(("127.0.0.1", server.port), "CREATE TABLE kept (id int PRIMARY KEY); INSERT INTO kept VALUES (7)")
        server.stop(signal.SIGKILL)
        server = self.start(port=server.port)
        self.assertEqual(query("%s/.s.PGSQL.%d" % (self.directory, server.port), "SELECT id FROM kept"), "7")

    def test_a_second_server_on_the_directory_is_refused(self):
        self.start()
        code, _, error = run("--data-dir", self.directory + "/data", "--socket-dir", "", "--port", str(free_port()))
        self.assertEqual(code, 1)
        self.assertIn("mayfly: ", error)
        self.assertIn(self.directory + "/data", error)

    def test_a_port_in_use_is_refused(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            code, _, error = run("--data-dir", self.directory + "/data", "--socket-dir", "", "--port", str(port))
        self.assertEqual(code, 1)
        self.assertIn("mayfly: could not listen on 127.0.0.1:%d: Address already in use" % port, error)

    def test_bad_configuration_names_the_line(self):
        for text, message in (("\nport = x\n", 'line 2: port: "x" is not a number'), ("nosuch_name = 1\n", "line 1: .*nosuch_name"),
                              ("work_mem = 'much'\n", "line 1: .*work_mem"), ("= 1\n", "line 1: a name is expected")):
            path = self.write("bad.conf", text)
            code, _, error = run("--config", path, "--data-dir", self.directory + "/data", "--socket-dir", "", "--port", str(free_port()))
            self.assertEqual(code, 1, text)
            self.assertRegex(error, re.escape('mayfly: configuration file "%s", ' % path) + message)
        self.assertEqual(run("--config", "/nosuch.conf")[0], 1)

    def test_the_configuration_file_counts_and_the_command_line_wins(self):
        path = self.write("good.conf", "port = 1\nlog_level = error\nwork_mem = '5MB'\n")
        server = self.start("--config", path, "--log-level", "info")
        self.assertEqual(query(("127.0.0.1", server.port), "SHOW work_mem"), "5MB")

    def test_a_directory_that_cannot_be_written_is_refused(self):
        for directory in (self.write("file", ""), "/proc/nosuch"):
            code, _, error = run("--data-dir", directory, "--socket-dir", "", "--port", str(free_port()))
            self.assertEqual(code, 1)
            self.assertIn("mayfly: ", error)

    def test_passwords_are_needed_where_trust_is_not_enough(self):
        path = self.write("scram.conf", "authentication = trust\nlisten_addresses = '0.0.0.0'\n")
        code, _, error = run("--config", path, "--data-dir", self.directory + "/data", "--socket-dir", "", "--port", str(free_port()))
        self.assertEqual(code, 1)
        self.assertIn("loopback", error)


if __name__ == "__main__":
    unittest.main(verbosity=2)
