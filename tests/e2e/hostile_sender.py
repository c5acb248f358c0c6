# SPDX-License-Identifier: MIT
# Says to a trace-cli receive what no trace-cli would: hostile_sender.py HOST PORT TOKEN WHAT
import os
import socket
import struct
import sys
import time

host, port, token, what = sys.argv[1], int(sys.argv[2]), sys.argv[3].encode(), sys.argv[4]


def frame(kind, trace, payload=b''):
    return bytes([kind]) + struct.pack('<II', trace, len(payload)) + payload


def hello(text):
    return b'trace-cli stream 1\n' + bytes([len(text)]) + text


s = socket.create_connection((host, port), timeout=60)
if what == 'silent':
    time.sleep(1)
elif what == 'http':
    s.sendall(b'GET / HTTP/1.0\r\n\r\n')
    print(s.recv(1))
elif what == 'prefix':  # the beginning of the token
    s.sendall(hello(token[:-1]))
    print(s.recv(1))
elif what == 'slow':  # byte by byte
    for b in hello(token) + frame(1, 0, b'slow') + frame(2, 0, b'at\3\0\0\0abc') + frame(3, 0) + frame(4, 0):
        s.sendall(bytes([b]))
        time.sleep(0.002)
    print(s.recv(1))
    while s.recv(100):
        pass
else:
    s.sendall(hello(token))
    assert s.recv(1) == b'A'
    if what == 'names':
        names = [b'../escaped', b'/etc/absolute', b'.hidden', b'there', b'a\x1b]0;b\x07', b'x' * 255, b'..']
        s.sendall(b''.join(frame(1, i, n) + frame(2, i, b'at') + frame(3, i) for i, n in enumerate(names)))
        s.sendall(frame(4, 0))
        while s.recv(100):
            pass
    elif what == 'garbage':
        s.sendall(frame(1, 0, b'garbage') + frame(2, 0, b'at\3\0\0\0abc\7\0\0\0a') + b'\xff' * 1000)
    elif what == 'chunks':  # of 300000 bytes, in pieces whose ends are not theirs
        data = b'at' + (struct.pack('<I', 300000) + bytes(300000)) * 7
        pieces = [frame(2, 0, data[at:at + 70000]) for at in range(0, len(data), 70000)]
        s.sendall(frame(1, 0, b'chunks') + b''.join(pieces) + frame(3, 0) + frame(4, 0))
        while s.recv(100):
            pass
    elif what == 'many':  # of one name; the first files are gone when the last trace comes
        answers = s.makefile('rb')
        for i in range(1001):
            s.sendall(frame(1, i, b'many') + frame(3, i))
            size = struct.unpack('<II', answers.read(9)[1:])[1]
            answers.read(size)
            if i == 999:
                os.unlink('received/many.trace')
                os.unlink('received/many.1.trace')
        s.sendall(frame(4, 0))
        while s.recv(100):
            pass
    elif what == 'much':
        s.sendall(frame(1, 0, b'much') + frame(2, 0, b'at'))
        for _ in range(3):
            s.sendall(frame(2, 0, bytes(1 << 20)))
        s.sendall(frame(3, 0) + frame(4, 0))
        while s.recv(100):
            pass
