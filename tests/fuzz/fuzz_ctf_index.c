/* SPDX-License-Identifier: MIT
 * Any bytes as LTTng's index of a stream of CTF: whatever it says, the same events are found from a time on,
 * which the first byte chooses.
 */
#include "fuzz_target.h"

#include "formats/ctf/ctf.h"
#include "trace/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PACKETS      16
#define EVENTS       4 /* of a packet, a nanosecond apart */
#define PACKET_TIME  16
#define HEADER_BYTES 48
#define PACKET_BYTES (HEADER_BYTES + EVENTS * 8 + 8)

static const char metadata[] =
    "/* CTF 1.8 */ typealias integer { size = 32; align = 8; } := u32; typealias integer { size = 64; align "
    "= 8; "
    "} := u64; trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 "
    "stream_id; "
    "}; }; clock { name = c; }; typealias integer { size = 64; align = 8; map = clock.c.value; } := t64;"
    "stream { id = 0; packet.context := struct { u64 content_size; u64 packet_size; t64 timestamp_begin;"
    "  t64 timestamp_end; u64 packet_seq_num; }; event.header := struct { t64 timestamp; }; };"
    "event { name = e; id = 0; stream_id = 0; fields := struct { }; };";

static char directory[] = "/tmp/fuzz_ctf_index.XXXXXX";

static void write_file(const char *name, const void *bytes, size_t size)
{
    char path[96];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
}

static void put(uint8_t **p, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        *(*p)++ = (uint8_t)(value >> 8 * i);
}

static void write_stream(void)
{
    uint8_t stream[PACKETS * PACKET_BYTES], *p = stream;
    for (uint64_t i = 0; i < PACKETS; ++i) {
        put(&p, 0xc1fc1fc1, 4);
        put(&p, 0, 4);
        put(&p, (PACKET_BYTES - 8) * 8, 8);
        put(&p, PACKET_BYTES * 8, 8);
        put(&p, i * PACKET_TIME, 8);
        put(&p, i * PACKET_TIME + EVENTS - 1, 8);
        put(&p, i, 8);
        for (uint64_t e = 0; e < EVENTS; ++e)
            put(&p, i * PACKET_TIME + e, 8);
        put(&p, 0, 8);
    }
    write_file("c", stream, sizeof stream);
}

static void remove_files(void)
{
    static const char *const names[] = {"metadata", "c", "index/c.idx", "index", ""};
    char path[96];
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        remove(path);
    }
}

static void make_directory(void)
{
    static bool is_made;
    char path[96];
    if (is_made)
        return;
    is_made = true;
    if (mkdtemp(directory) == NULL)
        abort();
    snprintf(path, sizeof path, "%s/index", directory);
    if (mkdir(path, 0700) != 0 || atexit(remove_files) != 0)
        abort();
    write_file("metadata", metadata, sizeof metadata - 1);
    write_stream();
}

static int64_t choose(void *context, int64_t first)
{
    return first + *(const int64_t *)context;
}

static void check(struct trace_source *source, int64_t begin)
{
    struct trace_event event;
    for (int64_t time = 0; time < PACKETS * PACKET_TIME; ++time) {
        if (time < begin || time % PACKET_TIME >= EVENTS)
            continue;
        if (trace_source_next(source, &event) != 0 || event.kind != TRACE_EVENT_INSTANT || event.time != time)
            abort();
        trace_source_release(source, &event);
    }
    if (trace_source_next(source, &event) != 0 || event.kind != TRACE_EVENT_END)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct trace_source *source;
    struct trace_probe probe;
    if (size == 0)
        return 0;
    int64_t begin = data[0];
    make_directory();
    write_file("index/c.idx", data + 1, size - 1);
    if (trace_probe_open(&probe, directory) != 0 || ctf_open(&source, &probe) != 0 ||
        !trace_source_choose_begin(source, choose, &begin, false))
        abort();
    check(source, begin);
    trace_source_close(source);
    trace_probe_close(&probe);
    return 0;
}
