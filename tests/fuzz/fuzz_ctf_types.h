/* SPDX-License-Identifier: MIT
 * Metadata of CTF 1.8 with every kind of field. They are a format, whose argument is the byte order.
 */
#ifndef TESTS_FUZZ_CTF_TYPES_H
#define TESTS_FUZZ_CTF_TYPES_H

static const char fuzz_ctf_metadata[] =
    "/* CTF 1.8 */ typealias integer { size = 8; } := u8; typealias integer { size = 16; align = 16; } := "
    "u16;"
    "typealias integer { size = 32; align = 8; } := u32; typealias integer { size = 5; } := u5;"
    "trace { major = 1; minor = 8; byte_order = %s;"
    "  packet.header := struct { u32 magic; u8 stream_id; }; };"
    "clock { name = c; freq = 3000000; offset_s = 5; };"
    "typealias integer { size = 27; map = clock.c.value; } := t27;"
    "stream { id = 0; packet.context := struct { u32 content_size; u32 packet_size; t27 timestamp_begin;"
    "    u8 events_discarded; u8 packet_seq_num; u8 cpu_id; };"
    "  event.header := struct { enum : u5 { small = 0 ... 30, large = 31 } id;"
    "    variant <id> { struct { t27 timestamp; } small; struct { u32 id; t27 timestamp; } large; } v; };"
    "  event.context := struct { u8 _vtid; }; };"
    "event { id = 0; name = ints; fields := struct { integer { size = 3; signed = 1; } a;"
    "    integer { size = 61; } b; integer { size = 12; byte_order = be; base = 16; } c; u16 d; }; };"
    "event { id = 1; name = arrays; fields := struct { u8 n; struct { u8 m; u16 v[m]; } s[n];"
    "    integer { size = 8; encoding = UTF8; } t[n]; struct { } e[n]; u5 f[3][2]; }; };"
    "event { id = 40; name = choices; context := struct { string s; }; fields := struct {"
    "    enum : u8 { A = 0 ... 9, B, C = 200 } tag; variant <tag> { u8 A; string B;"
    "    struct { floating_point { exp_dig = 8; mant_dig = 24; } f; floating_point { exp_dig = 11;"
    "    mant_dig = 53; align = 64; } d; } C; } v; }; };";

#endif
