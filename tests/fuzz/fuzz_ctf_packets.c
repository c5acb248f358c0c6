/* SPDX-License-Identifier: MIT
 * Reads any bytes as a stream of CTF, whose metadata have every kind of field. The first byte chooses the
 * byte order.
 */
#include "fuzz_target.h"

#include "formats/ctf/metadata/ctf_metadata.h"
#include "formats/ctf/decode/ctf_packets.h"
#include "formats/ctf/decode/ctf_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ITEMS_MAX 100000

static const char text[] =
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

/* The text of values must end with a NUL; the others are checked by the sanitizers. */
static void check_values(const struct trace_value *v)
{
    if (v->type == TRACE_STRING && v->u.string[v->count] != '\0')
        abort();
    if (v->type == TRACE_STRUCT || v->type == TRACE_CHOICE ||
        (v->type == TRACE_ARRAY && v->element == TRACE_NONE))
        for (uint64_t i = 0; i < v->count; ++i)
            check_values(&v->u.items[i]);
}

static void read_stream(struct ctf_stream *s)
{
    struct trace_value scopes[TRACE_SCOPES];
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; ctf_stream_advance(s) == 0 && s->item != CTF_ITEM_END; ++i) {
        if (i == ITEMS_MAX)
            abort(); /* the corpus and fuzzers' inputs are small: this does not end */
        arena_reset(&arena);
        if (s->item == CTF_ITEM_PACKET && ctf_packet_count_losses(s) != 0)
            break;
        if (s->item == CTF_ITEM_EVENT && ctf_stream_read_event(s, &arena, scopes) == 0)
            for (int n = 0; n < TRACE_SCOPES; ++n)
                check_values(&scopes[n]);
    }
    arena_fini(&arena);
}

static void read_file(struct ctf_layout *layout, const uint8_t *data, size_t size)
{
    struct ctf_files files = {.newest = NULL};
    struct ctf_instances instances = {.by_name = {.slots = NULL}};
    const struct ctf_stream_place place = {layout, &files, &instances};
    struct ctf_stream *s;
    char path[40];
    int fd = memfd_create("stream", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (ctf_stream_open(&s, &place, path, 4096) == 0) {
        read_stream(s);
        ctf_stream_close(s);
    }
    ctf_instances_fini(&instances);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ctf_trace trace;
    struct ctf_layout layout;
    char metadata[sizeof text + 8];
    if (size == 0)
        return 0;
    int length = snprintf(metadata, sizeof metadata, text, data[0] % 2 == 0 ? "le" : "be");
    ctf_trace_init(&trace);
    if (ctf_metadata_parse(&trace, "metadata", (const uint8_t *)metadata, (size_t)length) != 0 ||
        ctf_layout_init(&layout, &trace) != 0)
        abort();
    read_file(&layout, data + 1, size - 1);
    ctf_layout_fini(&layout);
    ctf_trace_fini(&trace);
    return 0;
}
