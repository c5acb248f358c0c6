/* SPDX-License-Identifier: MIT
 * Event streams and files for tests of the trace library. Files are in memory and are opened by a path in
 * /proc.
 */
#ifndef TESTS_TRACE_SAMPLES_H
#define TESTS_TRACE_SAMPLES_H

#include "base/buf.h"
#include "formats/apitrace/container/container.h"
#include "formats/apitrace/encoder.h"

/* Encodes values of every type, one per call, numbered as in enum sample_call. Enter and leave events are
 * adjacent. */
void sample_encode_stream(struct buf *out);

enum sample_call {
    SAMPLE_NULL,
    SAMPLE_FALSE,
    SAMPLE_TRUE,
    SAMPLE_SINT,
    SAMPLE_UINT,
    SAMPLE_FLOAT,
    SAMPLE_DOUBLE,
    SAMPLE_STRING,
    SAMPLE_BLOB,
    SAMPLE_LONG_BLOB,
    SAMPLE_ENUM,
    SAMPLE_ENUM_NEGATIVE,
    SAMPLE_ENUM_HUGE,
    SAMPLE_BITMASK,
    SAMPLE_EMPTY_ARRAY,
    SAMPLE_FLOATS,
    SAMPLE_DOUBLES,
    SAMPLE_UINTS,
    SAMPLE_SINTS,
    SAMPLE_MIXED,
    SAMPLE_STRINGS,
    SAMPLE_STRUCT,
    SAMPLE_OPAQUE,
    SAMPLE_REPR,
    SAMPLE_WSTRING,
    SAMPLE_NO_ARGS,
    SAMPLE_RETURNS,
    SAMPLE_FAKE,
    SAMPLE_BACKTRACE,
    SAMPLE_BACKTRACE_AGAIN,
    SAMPLE_SWAP,
    SAMPLE_CALLS,
};

#define SAMPLE_LONG_BLOB_BYTES 3000
#define SAMPLE_PROPERTIES      2

/* Returns bytes that are half noise and half repetition, so that files stay above any size limit when
 * compressed. The caller frees them. */
uint8_t *sample_bytes(size_t count);

/* A file in memory. */
struct sample_file {
    int fd;
    char path[40];
};

void sample_file_open(struct sample_file *f);
void sample_file_close(struct sample_file *f);

/* Replaces the contents. */
void sample_file_set(struct sample_file *f, const void *bytes, size_t count);

/* Replaces the contents by a container with the stream. */
void sample_file_pack(struct sample_file *f, enum trace_container container, const void *stream,
                      size_t count);

/* Expects that the file is a container with this stream. Reads it in pieces of `piece` bytes. */
void sample_file_expect_stream(const struct sample_file *f, const uint8_t *bytes, size_t count, size_t piece);

/* Appends the contents to out. */
void sample_file_get(const struct sample_file *f, struct buf *out);

#endif
