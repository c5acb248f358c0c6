/* SPDX-License-Identifier: MIT */
#include "cmocka_all.h"
#include "sp_rtrace_logs.h"

#include "base/little_endian.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void log_begin(struct buf *log)
{
    static const uint8_t handshake[16] = "\xf0\x0e\x02\x00\x06x86_64\x00\x08";
    buf_init(log);
    assert_int_equal(buf_append(log, handshake, sizeof handshake), 0);
}

void log_put_u32(struct buf *log, uint32_t value)
{
    uint8_t bytes[4];
    put_u32(bytes, value);
    assert_int_equal(buf_append(log, bytes, sizeof bytes), 0);
}

void log_put_u64(struct buf *log, uint64_t value)
{
    log_put_u32(log, (uint32_t)value);
    log_put_u32(log, (uint32_t)(value >> 32));
}

void log_put_string(struct buf *log, const char *text)
{
    size_t length = strlen(text), padded = length + (-(2 + length) % 4);
    const uint8_t head[2] = {(uint8_t)padded, (uint8_t)(padded >> 8)};
    assert_int_equal(buf_append(log, head, sizeof head), 0);
    assert_int_equal(buf_append(log, text, length), 0);
    for (; length < padded; ++length)
        assert_int_equal(buf_append_byte(log, 0), 0);
}

size_t log_begin_packet(struct buf *log, const char *type)
{
    size_t packet = log->len;
    assert_int_equal(buf_append(log, type, 4), 0);
    log_put_u32(log, 0);
    return packet;
}

void log_end_packet(struct buf *log, size_t packet)
{
    put_u32(log->data + packet + 4, (uint32_t)(log->len - packet - 8));
}

void log_put_call(struct buf *log, const char *name, uint32_t type, uint32_t size, uint64_t id,
                  uint32_t frames)
{
    size_t packet = log_begin_packet(log, "CALL");
    log_put_u32(log, 1);
    log_put_u32(log, 0);
    log_put_u32(log, 1000);
    log_put_u32(log, type);
    log_put_string(log, name);
    log_put_u32(log, size);
    log_put_u64(log, id);
    log_end_packet(log, packet);
    packet = log_begin_packet(log, "BTRC");
    log_put_u32(log, frames);
    for (uint32_t i = 0; i < frames; ++i)
        log_put_u64(log, i + 1);
    log_end_packet(log, packet);
}

void log_put_mapping(struct buf *log, uint64_t from, const char *path)
{
    size_t packet = log_begin_packet(log, "MMAP");
    log_put_u64(log, from);
    log_put_u64(log, from + 1);
    log_put_string(log, path);
    log_end_packet(log, packet);
}

void log_put_context(struct buf *log, uint32_t id, const char *name)
{
    size_t packet = log_begin_packet(log, "CTXR");
    log_put_u32(log, id);
    log_put_string(log, name);
    log_end_packet(log, packet);
}

struct trace_source *log_open(struct sample_file *file, const void *bytes, size_t count)
{
    struct trace_source *source;
    sample_file_open(file);
    sample_file_set(file, bytes, count);
    assert_int_equal(trace_source_open(&source, file->path), 0);
    return source;
}

static void put_all(struct trace_source *source, struct trace_sink *sink)
{
    struct trace_event event;
    while (trace_source_next(source, &event) == 0 && event.kind != TRACE_EVENT_END) {
        assert_int_equal(trace_sink_put(sink, &event), 0);
        trace_source_release(source, &event);
    }
    assert_int_equal(event.kind, TRACE_EVENT_END);
}

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, f) < (1 << 20) - 1);
    fclose(f);
    return text;
}

char *log_convert(const void *bytes, size_t count, const char *to, uint64_t *left_out)
{
    char path[] = "/tmp/test_sp_rtrace.XXXXXX";
    struct sample_file file;
    struct trace_source *source = log_open(&file, bytes, count);
    struct trace_sink_options options = {.clock = trace_source_clock(source)};
    const struct trace_left_out *items;
    struct trace_sink *sink;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    options.property_count = trace_source_properties(source, &options.properties);
    assert_int_equal(trace_sink_create(&sink, to, path, &options), 0);
    put_all(source, sink);
    assert_int_equal(trace_sink_finish(sink), 0);
    size_t item_count = trace_sink_left_out(sink, &items);
    for (size_t i = 0; i < item_count; ++i)
        *left_out += items[i].count;
    assert_int_equal(trace_sink_close(sink), 0);
    trace_source_close(source);
    sample_file_close(&file);
    char *text = read_file(path);
    unlink(path);
    return text;
}

void log_expect_written(const char *to, const char *from, const char *wanted, uint64_t wanted_left_out)
{
    uint64_t left_out = 0;
    char *text = log_convert(from, strlen(from), to, &left_out);
    assert_string_equal(text, wanted);
    assert_int_equal(left_out, wanted_left_out);
    free(text);
}

void log_expect_text(const char *from, const char *wanted)
{
    log_expect_written("sp-rtrace-text", from, wanted, 0);
    log_expect_written("sp-rtrace-text", wanted, wanted, 0);
}
