# SPDX-License-Identifier: MIT
"""Reads the part of Perfetto's traces that is written, and holds it to the rules of that format."""
import re
import struct

SCALARS = {'uint64', 'uint32', 'int32', 'int64', 'bool', 'Type'}


def read_schema(path):
    """The messages of a .proto: name to {number: (field, type, is repeated)}."""
    with open(path, encoding='utf-8') as file:
        text = re.sub(r'//.*|enum \w+ \{[^}]*\}', '', file.read())
    messages = {}
    for name, body in re.findall(r'message (\w+) \{([^}]*)\}', text):
        messages[name] = {int(number): (field, kind, label == 'repeated')
                          for label, kind, field, number in re.findall(r'(optional|repeated) (\w+) (\w+) = (\d+);', body)}
    return messages


def read_varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def read_message(schema, name, data):
    """A message as a dictionary. A field that the schema does not have, or of another type, is an error."""
    out, at = {}, 0
    while at < len(data):
        tag, at = read_varint(data, at)
        field, kind, repeated = schema[name][tag >> 3]
        if tag & 7 == 0:
            assert kind in SCALARS, (name, field)
            value, at = read_varint(data, at)
            if kind.startswith('int') and value >= 1 << 63:
                value -= 1 << 64
        elif tag & 7 == 1:
            assert kind == 'double', (name, field)
            value, at = struct.unpack_from('<d', data, at)[0], at + 8
        else:
            assert tag & 7 == 2 and kind not in SCALARS | {'double'}, (name, field)
            length, at = read_varint(data, at)
            part, at = data[at:at + length], at + length
            assert len(part) == length, (name, field)
            value = part.decode() if kind in ('string', 'bytes') else read_message(schema, kind, part)
        if repeated:
            out.setdefault(field, []).append(value)
        else:
            assert field not in out, (name, field)
            out[field] = value
    return out


class Reader:
    """The slices and instants of a trace."""

    def __init__(self, schema, data):
        self.schema, self.interned, self.tracks, self.open, self.last = schema, {}, {}, {}, {}
        self.slices, self.instants = [], []
        trace = read_message(schema, 'Trace', data)
        for i, packet in enumerate(trace.get('packet', [])):
            assert packet['trusted_packet_sequence_id'] == 1
            assert packet['sequence_flags'] == (1 if i == 0 else 2), i
            self.intern(packet.get('interned_data', {}))
            if 'track_descriptor' in packet:
                self.describe(packet['track_descriptor'])
            if 'track_event' in packet:
                self.take(packet['timestamp'], packet['track_event'])

    def intern(self, data):
        for kind, entries in data.items():
            known = self.interned.setdefault(kind, {})
            for entry in entries:
                assert entry['iid'] > 0 and entry['iid'] not in known, (kind, entry)
                known[entry['iid']] = entry

    def text(self, kind, iid):
        entry = self.interned[kind][iid]
        return entry['name'] if 'name' in entry else entry['str']

    def describe(self, track):
        assert track['uuid'] not in self.tracks and track['uuid'] != 0
        assert 'thread' not in track or 'parent_uuid' not in track
        self.tracks[track['uuid']] = track

    def value(self, annotation):
        if 'dict_entries' in annotation:
            return {entry['name']: self.value(entry) for entry in annotation['dict_entries']}
        if 'array_values' in annotation:
            return [self.value(entry) for entry in annotation['array_values']]
        values = [v for key, v in annotation.items() if key.endswith('_value')]
        assert len(values) == 1, annotation
        return values[0]

    def stack(self, iid):
        frames = []
        for number in self.interned['callstacks'][iid]['frame_ids']:
            frame = self.interned['frames'][number]
            out = [self.text('function_names', frame['function_name_id'])]
            if 'mapping_id' in frame:
                paths = self.interned['mappings'][frame['mapping_id']]['path_string_ids']
                out += [self.text('mapping_paths', p) for p in paths] + [frame['rel_pc']]
            if 'source_path_iid' in frame:
                out += [self.text('source_paths', frame['source_path_iid']), frame.get('line_number')]
            frames.append(tuple(out))
        return frames

    def take(self, time, event):
        uuid = event['track_uuid']
        track = self.tracks[uuid]
        assert time >= self.last.get(uuid, 0), event
        self.last[uuid] = time
        args = {self.text('debug_annotation_names', a['name_iid']): self.value(a) for a in event.get('debug_annotations', [])}
        stack = self.stack(event['callstack_iid']) if 'callstack_iid' in event else []
        name = self.text('event_names', event['name_iid']) if 'name_iid' in event else None
        opened = self.open.setdefault(uuid, [])
        if event['type'] == 1:
            opened.append([track, name, time, None, args, stack])
            self.slices.append(opened[-1])
        elif event['type'] == 2:
            ended = opened.pop()
            ended[3] = time
            ended[4].update(args)
        else:
            assert event['type'] == 3
            self.instants.append((track, name, time, args, stack))
