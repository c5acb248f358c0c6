# SPDX-License-Identifier: MIT
# Says wrong things, and nothing, on the collector's socket; a program is recorded all the same. usage: strange_callers.py
# PROGRAM [ARGUMENT…]
import array
import os
import socket
import subprocess
import sys

path = os.environ['TRACE_CLI_SOCKET']
magic = (0x54524331).to_bytes(4, 'little')
header = (1).to_bytes(4, 'little') + os.path.basename(path).encode().ljust(40, b'\0')
hello = magic + header + b'/a/stranger\0arguments\0'


def connect():
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.connect(path)
    return s


def send(data, fds):
    """The answer's second word: was it accepted?"""
    s = connect()
    s.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', fds))])
    return s.recv(100)[4:8]


read_end, write_end = os.pipe()
unsealed = os.memfd_create('unsealed')
os.ftruncate(unsealed, 1 << 20)
connect().send(b'garbage')
connect().close()
for data, fds in ((hello, [read_end]), (hello, [read_end, write_end]), (hello, [unsealed]),
                  (bytes(4) + hello[4:], [unsealed]), (magic + bytes(44), [unsealed]), (magic + header + b'a' * 3800, [unsealed])):
    if send(data, fds) not in (b'', bytes(4)):
        sys.exit('accepted')
silent = [connect() for _ in range(100)]
sys.exit(subprocess.run(sys.argv[1:], timeout=60).returncode)
