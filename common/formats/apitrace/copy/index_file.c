/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/copy/index_file.h"

#include "base/error.h"
#include "base/write_all.h"
#include "formats/apitrace/copy/index_events.h"
#include "formats/apitrace/container/codec.h"
#include "formats/apitrace/read/raw_events_state.h"
#include "formats/apitrace/index/index_builder.h"
#include "formats/apitrace/read/stream_seek.h"
#include "formats/apitrace/index/index_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct trace_index_file {
    char *path;
    const struct trace_codec *codec;
    uint64_t size;                  /* size of the file */
    uint64_t start;                 /* file offset at which to write */
    uint64_t end;                   /* end of the stream in the file */
    struct trace_chunk_list chunks; /* the chunks of the stream, all of them before `start` */
    struct trace_index_builder *builder;
    char problem[128]; /* problem of the old index; "": none */
};

/* --- reading --------------------------------------------------------------------------------------- */

static int add_events(struct trace_index_file *f, struct trace_raw_events *e,
                      struct trace_copied_times *times)
{
    int rc = trace_index_events(e, f->builder, times);
    if (rc == TRACE_ERR_TRUNCATED || rc == TRACE_ERR_FORMAT) {
        struct trace_kept_error why;
        trace_error_keep(&why, rc);
        return trace_error_set(
            rc, "%s; only a complete trace can have an index (\"trace-cli trim\" copies the readable calls)",
            why.message);
    }
    return rc;
}

/* A stream that can only be read from its start is a single chunk, unless the old index has its chunks. */
static int hash_stream(struct trace_index_file *f, struct trace_file *file, struct trace_chunk_entry *whole)
{
    uint8_t bytes[1 << 16];
    XXH64_state_t *state = XXH64_createState();
    size_t got = 1;
    int rc = state == NULL ? trace_error_set(TRACE_ERR_MEMORY, "out of memory") : 0;
    if (rc == 0)
        XXH64_reset(state, 0);
    for (uint64_t at = 0; rc == 0 && at < whole->length && got > 0; at += got) {
        uint64_t left = whole->length - at;
        rc = trace_file_read_at(file, at, bytes, left < sizeof bytes ? (size_t)left : sizeof bytes, &got);
        if (rc == 0)
            XXH64_update(state, bytes, got);
    }
    if (rc == 0)
        whole->checksum = XXH64_digest(state);
    XXH64_freeState(state);
    return rc == 0 ? trace_chunk_list_add(&f->chunks, whole) : rc;
}

static int add_whole_stream(struct trace_index_file *f, struct trace_raw_events *e)
{
    struct trace_index *old = f->problem[0] == '\0' ? trace_input_index(e->cursor.stream.in, NULL) : NULL;
    uint64_t count = old != NULL ? trace_index_chunk_count(old) : 0;
    struct trace_chunk_entry entry = {.length = f->end < f->start ? f->end : f->start,
                                      .size = trace_stream_offset(&e->cursor.stream)};
    struct trace_file file;
    int rc = 0;
    for (uint64_t i = 0; i < count && rc == 0 && trace_index_chunk(old, i, &entry) == 0; ++i)
        rc = trace_chunk_list_add(&f->chunks, &entry);
    if (rc != 0 || f->chunks.count > 0)
        return rc;
    rc = trace_file_open(&file, f->path);
    if (rc == 0) {
        rc = hash_stream(f, &file, &entry);
        trace_file_close(&file);
    }
    return rc == 0 ? 0 : trace_error_prefix(rc, "%s", f->path);
}

static int add_chunks(struct trace_index_file *f, struct trace_raw_events *e)
{
    const struct trace_chunk_list *noted = trace_input_noted_chunks(e->cursor.stream.in);
    int rc = 0;
    if (!f->codec->independent)
        return add_whole_stream(f, e);
    for (size_t i = 0; i < noted->count && rc == 0; ++i)
        if (noted->entries[i].file_offset < f->start)
            rc = trace_chunk_list_add(&f->chunks, &noted->entries[i]);
    /* Frames of Zstandard after the stream contain tables. */
    while (f->chunks.count > 0 && f->chunks.entries[f->chunks.count - 1].size == 0)
        f->chunks.count--;
    return rc;
}

/* If the old index does not match the file, it is useless; if it is damaged, parts of it may be valid. */
static int check_old_index(struct trace_index_file *f, struct trace_input *in)
{
    const char *problem;
    int rc = 0;
    if (trace_input_index(in, &problem) != NULL) {
        rc = trace_index_check(trace_input_index(in, NULL));
        if (rc == 0 && (rc = trace_input_check_chunks(in)) == TRACE_ERR_FORMAT)
            trace_input_drop_index(in);
        problem = rc == TRACE_ERR_FORMAT ? trace_error_message() : NULL;
    }
    if (problem != NULL)
        snprintf(f->problem, sizeof f->problem, "%s", problem);
    return rc == TRACE_ERR_FORMAT ? 0 : rc;
}

/* Call this after the whole stream was read. Returns the start of the old index, usable or not, or the end of
 * the file. */
static uint64_t find_start(struct trace_index_file *f, struct trace_input *in)
{
    const struct trace_chunk_list *noted = trace_input_noted_chunks(in);
    const char *problem;
    struct trace_index *old = trace_input_index(in, &problem);
    uint64_t end = f->end;
    if (f->problem[0] == '\0' && problem != NULL)
        snprintf(f->problem, sizeof f->problem, "%s", problem);
    /* In a container with a table of its chunks, the index is one of them. */
    for (size_t i = noted->count; i > 0; --i) {
        const struct trace_chunk_entry *c = &noted->entries[i - 1];
        end = c->file_offset + c->length;
        if (c->size > 0)
            break;
        if (trace_input_has_index_at(in, c->file_offset)) {
            if (old == NULL && f->problem[0] == '\0')
                snprintf(f->problem, sizeof f->problem, "the index at the file's end is cut off");
            return c->file_offset;
        }
    }
    if (old != NULL && trace_index_start(old) >= end)
        return trace_index_start(old);
    return trace_input_has_index_at(in, end) ? end : f->size;
}

static int read_trace(struct trace_index_file *f, struct trace_raw_events *e,
                      struct trace_copied_times *times)
{
    struct trace_index *old = trace_input_index(e->cursor.stream.in, NULL);
    bool has_times;
    f->codec = trace_input_codec(e->cursor.stream.in);
    f->size = trace_input_file_size(e->cursor.stream.in);
    trace_input_note_chunks(e->cursor.stream.in);
    int rc = trace_index_builder_new(&f->builder);
    if (rc == 0)
        rc = trace_stream_rewind(&e->cursor.stream);
    if (rc == 0)
        rc = trace_raw_events_want_times(e, &has_times);
    if (rc == 0)
        rc = trace_index_keep(f->builder, old);
    if (rc == 0)
        rc = add_events(f, e, times);
    f->end = trace_input_end(e->cursor.stream.in);
    f->start = find_start(f, e->cursor.stream.in);
    return rc != 0 ? rc : add_chunks(f, e);
}

/* times: NULL: those of the old index. */
static int read_file(struct trace_index_file **out, const char *path, bool again,
                     struct trace_progress_callback w, struct trace_copied_times *times)
{
    struct trace_raw_events *events;
    *out = NULL;
    int rc = trace_raw_events_open(&events, path, false);
    if (rc != 0)
        return rc;
    struct trace_index_file *f = calloc(1, sizeof *f);
    rc = f == NULL || (f->path = strdup(path)) == NULL ? trace_error_set(TRACE_ERR_MEMORY, "out of memory")
                                                       : check_old_index(f, events->cursor.stream.in);
    bool is_done = !again && rc == 0 && f->problem[0] == '\0' &&
                   trace_input_index(events->cursor.stream.in, NULL) != NULL;
    if (rc == 0 && !is_done) {
        trace_raw_events_set_progress(events, w);
        rc = read_trace(f, events, times);
    }
    trace_raw_events_close(events);
    if (rc != 0 || is_done)
        trace_index_file_free(f);
    else
        *out = f;
    return rc;
}

int trace_index_file_read(struct trace_index_file **out, const char *path, bool again,
                          struct trace_progress_callback w)
{
    return read_file(out, path, again, w, NULL);
}

int trace_index_file_read_copy(struct trace_index_file **out, const char *path, struct trace_index *of_other,
                               struct trace_copied_times *times)
{
    const struct trace_progress_callback none = {.report = NULL};
    int rc = times != NULL ? trace_copied_times_rewind(times) : 0;
    if (rc == 0)
        rc = read_file(out, path, false, none, times);
    if (rc != 0 || *out == NULL)
        return rc;
    rc = trace_index_keep((*out)->builder, of_other);
    if (rc != 0)
        trace_index_file_free(*out);
    return rc;
}

void trace_index_file_free(struct trace_index_file *f)
{
    if (f == NULL)
        return;
    trace_index_builder_free(f->builder);
    free(f->chunks.entries);
    free(f->path);
    free(f);
}

const char *trace_index_file_problem(const struct trace_index_file *f)
{
    return f->problem[0] != '\0' ? f->problem : NULL;
}

uint64_t trace_index_file_size(const struct trace_index_file *f)
{
    return f->size;
}

uint64_t trace_index_file_start(const struct trace_index_file *f)
{
    return f->start;
}

/* --- writing --------------------------------------------------------------------------------------- */

/* The container's table covers the whole file. What is neither a chunk nor the index is an entry with no
 * bytes of the stream. */
static int write_epilogue(struct trace_index_file *f, int fd, uint64_t index_size)
{
    struct trace_chunk_entry last = {0};
    struct buf table = BUF_INIT;
    if (f->chunks.count > 0)
        last = f->chunks.entries[f->chunks.count - 1];
    struct trace_chunk_entry gap = {.file_offset = last.file_offset + last.length,
                                    .stream_offset = last.stream_offset + last.size,
                                    .content_checksum = (uint32_t)XXH64("", 0, 0)};
    struct trace_chunk_entry index = gap;
    gap.length = f->start - gap.file_offset;
    index.file_offset = f->start;
    index.length = index_size;
    int rc = gap.length > 0 ? trace_chunk_list_add(&f->chunks, &gap) : 0;
    if (rc == 0)
        rc = trace_chunk_list_add(&f->chunks, &index);
    if (rc == 0)
        rc = f->codec->blocks->epilogue(&f->chunks, &table);
    if (rc == 0)
        rc = write_all(fd, table.data, table.len);
    buf_fini(&table);
    return rc;
}

int trace_index_file_write(struct trace_index_file *f, int fd)
{
    uint64_t size;
    int rc = trace_index_write(f->builder, f->codec, &f->chunks, fd, f->start, &size);
    if (rc == 0 && f->codec->blocks != NULL && f->codec->blocks->epilogue != NULL)
        rc = write_epilogue(f, fd, size);
    return rc == 0 ? 0 : trace_error_prefix(rc, "%s", f->path);
}
