/* SPDX-License-Identifier: MIT */
#include "sample_records.h"

#include "cmocka_all.h"

#include "formats/apitrace/container/container.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

uint8_t *append_record(struct ring_producer *p, uint16_t function, uint8_t kind, const uint64_t *words,
                       unsigned count, bool (*wait)(struct ring_producer *p))
{
    uint32_t size = (uint32_t)(sizeof(struct record) + count * sizeof *words);
    uint8_t *at = ring_reserve(p, size, wait);
    struct record r = {.size = size, .function = function, .kind = kind};
    if (kind == RECORD_ENTER || kind == RECORD_LEAVE)
        r.order = (uint32_t)ring_take_order(p);
    memcpy(at, &r, sizeof r);
    if (count > 0)
        memcpy(at + sizeof r, words, count * sizeof *words);
    ring_publish(p, size);
    return at;
}

struct trace_reader *open_encoded(const struct record_encoder *encoder)
{
    struct trace_reader *reader;
    struct trace_output *output;
    char path[40];
    int fd = memfd_create("encoded.trace", MFD_CLOEXEC);
    assert_int_equal(trace_output_open_fd(&output, fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0), 0);
    assert_int_equal(trace_output_write(output, encoder->out.data, encoder->out.len), 0);
    assert_int_equal(trace_output_close(output), 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    assert_int_equal(trace_reader_open(&reader, path), 0);
    close(fd);
    return reader;
}
