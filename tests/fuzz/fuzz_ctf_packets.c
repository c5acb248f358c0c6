/* SPDX-License-Identifier: MIT
 * Reads any bytes as a stream of CTF, whose metadata have every kind of field. The first byte chooses the
 * byte order.
 */
#include "fuzz_ctf_types.h"
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
    char metadata[sizeof fuzz_ctf_metadata + 8];
    if (size == 0)
        return 0;
    int length = snprintf(metadata, sizeof metadata, fuzz_ctf_metadata, data[0] % 2 == 0 ? "le" : "be");
    ctf_trace_init(&trace);
    if (ctf_metadata_parse(&trace, "metadata", (const uint8_t *)metadata, (size_t)length) != 0 ||
        ctf_layout_init(&layout, &trace) != 0)
        abort();
    read_file(&layout, data + 1, size - 1);
    ctf_layout_fini(&layout);
    ctf_trace_fini(&trace);
    return 0;
}
