/* SPDX-License-Identifier: MIT
 * Reads a container, in chunks without copying, or as bytes. Worker threads decompress a limited number of
 * chunks ahead of the consumer.
 */
#ifndef TRACE_INPUT_H
#define TRACE_INPUT_H

#include "formats/apitrace/container/chunk.h"
#include "formats/apitrace/container/codec.h"
#include "formats/apitrace/container/container.h"
#include "trace/progress_callback.h"
#include "formats/apitrace/index/index_reader.h"

#include <stdbool.h>

struct trace_input;
struct trace_probe;

/* Opens the file at path ("-": the standard input). It may be a pipe; then nothing is read twice. The caller
 * owns *out. Errors: TRACE_ERR_IO, TRACE_ERR_FORMAT, TRACE_ERR_TRUNCATED, TRACE_ERR_UNSUPPORTED,
 * TRACE_ERR_MEMORY. */
int trace_input_open(struct trace_input **out, const char *path);
/* Does the same for a probed file, which is taken over on success. */
int trace_input_open_probed(struct trace_input **out, struct trace_probe *probe);
/* Reads up to count bytes. *got is 0 at the end. Errors: TRACE_ERR_TRUNCATED or TRACE_ERR_FORMAT, returned
 * after the last valid byte. */
int trace_input_read(struct trace_input *in, void *bytes, size_t count, size_t *got);
/* Returns true if the probed file may be a container. *by_mark: it begins with a container's magic number;
 * otherwise it could also be something else. */
bool trace_input_accepts(const struct trace_probe *probe, bool *by_mark);
void trace_input_close(struct trace_input *in);

/* Gets the next chunk, which is never empty, with a reference that the caller owns. *out is NULL at the end.
 * Errors are returned after the last valid byte, begin with the path, and are permanent. */
int trace_input_next_chunk(struct trace_input *in, struct trace_chunk **out);

/* An input that saves memory decompresses the next chunk ahead, if none is in use but the last one. It does
 * so anyway when that chunk is requested. */
void trace_input_read_on(struct trace_input *in);

/* Makes the input continue after a damaged chunk if chunks are independent. TRACE_ERR_FORMAT is then returned
 * once for each damaged chunk. */
void trace_input_resume_after_damage(struct trace_input *in);

/* Sets the callback that is told how far the file has been read. */
void trace_input_set_progress(struct trace_input *in, struct trace_progress_callback w);

/* Keeps the compressed bytes of chunks, if they are independent, so that trace_output_write_chunk() can write
 * them unchanged. Has no effect after the second chunk was requested. */
void trace_input_keep_compressed(struct trace_input *in);

const char *trace_input_path(const struct trace_input *in);
/* Name of the container, such as "Snappy"; a constant. */
const char *trace_input_container(const struct trace_input *in);

/* Returns true if the file begins with the magic number of its container. Otherwise it could also be
 * something else. */
bool trace_input_has_mark(const struct trace_input *in);

/* Returns the size of the file in bytes; for a pipe, the number of bytes read so far. */
uint64_t trace_input_file_size(const struct trace_input *in);

/* Returns true if chunk numbers and file offsets are useful for locating damage in the file. */
bool trace_input_has_chunks(const struct trace_input *in);

struct trace_chunk_pool *trace_input_pool(struct trace_input *in);

/* Returns the index of the file, or NULL. It is lent until the input is closed, or until
 * trace_input_drop_index() drops it because it is damaged. If the file has an index that cannot be used,
 * *problem says why; otherwise it is NULL. problem may be NULL. An index that is cut off is only detected at
 * the end of the stream. */
struct trace_index *trace_input_index(struct trace_input *in, const char **problem);
void trace_input_drop_index(struct trace_input *in);

/* Does the same as trace_index_find_chunk(), which must not be called directly, because worker threads use
 * the same table. */
int trace_input_find_chunk(struct trace_input *in, uint64_t stream_offset, uint64_t *index,
                           struct trace_chunk_entry *out);

/* Does the same as trace_index_chunk(), under the same restriction. Errors: TRACE_ERR_UNSUPPORTED if there is
 * no index. */
int trace_input_known_chunk(struct trace_input *in, uint64_t index, struct trace_chunk_entry *out);

/* Returns true if the file has a chunk at the location that the index gives, whatever its contents are.
 * Always false if chunks are not independent. The input must be repositioned afterwards. */
bool trace_input_has_chunk(struct trace_input *in, uint64_t index, const struct trace_chunk_entry *entry);

/* Checks that each chunk of the index is a chunk of the file. Compares locations, not contents. The input
 * must be rewound afterwards. Errors: TRACE_ERR_FORMAT if a chunk is not there. */
int trace_input_check_chunks(struct trace_input *in);

/* Returns true if an index, usable or not, begins at this file offset, with what precedes it in the
 * container. */
bool trace_input_has_index_at(struct trace_input *in, uint64_t start);

/* Makes chunk `index` of the index the next one. No chunks are decompressed ahead until a few have been read
 * in sequence. Errors: TRACE_ERR_UNSUPPORTED for a pipe. */
int trace_input_seek(struct trace_input *in, uint64_t index, const struct trace_chunk_entry *entry);

/* Moves back to the first chunk. Errors: TRACE_ERR_UNSUPPORTED for a pipe. */
int trace_input_rewind(struct trace_input *in);

/* Passes each chunk to tee before it is returned; the chunk is lent to tee. An error of tee is returned with
 * its message, and is permanent. */
typedef int (*trace_input_tee)(void *context, struct trace_chunk *chunk);
void trace_input_set_tee(struct trace_input *in, trace_input_tee tee, void *context);

/* Records the chunks that are read from now on, in order. Records nothing if the container's chunks are not
 * independent. Call trace_input_rewind() next. */
void trace_input_note_chunks(struct trace_input *in);
const struct trace_chunk_list *trace_input_noted_chunks(const struct trace_input *in);

const struct trace_codec *trace_input_codec(const struct trace_input *in);

/* Returns the file offset of the end of the stream, after all of it was read. */
uint64_t trace_input_end(const struct trace_input *in);

#endif
