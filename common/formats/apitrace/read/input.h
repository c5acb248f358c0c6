/* SPDX-License-Identifier: MIT
 * The reading side of a container by chunks, without copying, and as bytes. Chunks are decompressed ahead of
 * the consumer in worker threads, a bounded number of them.
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

/* path "-": the standard input. It may be a pipe, as may any file; then nothing is read twice. */
int trace_input_open(struct trace_input **out, const char *path);
/* The same of a file that was probed, which is taken over if that succeeds. */
int trace_input_open_probed(struct trace_input **out, struct trace_probe *probe);
/* Up to count bytes into bytes; *got 0 at the end. TRACE_ERR_TRUNCATED or TRACE_ERR_FORMAT after the last
 * good byte. */
int trace_input_read(struct trace_input *in, void *bytes, size_t count, size_t *got);
/* Can the probed file be a container? by_mark: it begins with the mark of one; else it might be anything. */
bool trace_input_accepts(const struct trace_probe *probe, bool *by_mark);
void trace_input_close(struct trace_input *in);

/* The next chunk, never empty; the caller gets a reference. *out is NULL at the end. Errors (with the path in
 * front) come after the last good byte and stay. */
int trace_input_next_chunk(struct trace_input *in, struct trace_chunk **out);

/* Goes on after a damaged chunk, if chunks are independent: its TRACE_ERR_FORMAT is returned once. */
void trace_input_resume_after_damage(struct trace_input *in);

/* From now on, w is told what is read. */
void trace_input_set_progress(struct trace_input *in, struct trace_progress_callback w);

/* Chunks of containers whose chunks are independent keep their compressed bytes from now on: for
 * trace_output_write_chunk(), which may write them as they are. To be called before the second chunk is asked
 * for; later it has no effect. */
void trace_input_keep_compressed(struct trace_input *in);

const char *trace_input_path(const struct trace_input *in);
const char *trace_input_container(const struct trace_input *in); /* "Snappy", … */

/* Does the file begin with the mark of its container? Otherwise it might be anything. */
bool trace_input_has_mark(const struct trace_input *in);

/* Bytes of the file; of a pipe, those that were read so far. */
uint64_t trace_input_file_size(const struct trace_input *in);

/* Do chunk numbers and file offsets mean something to whoever repairs the file? */
bool trace_input_has_chunks(const struct trace_input *in);

struct trace_chunk_pool *trace_input_pool(struct trace_input *in);

/* The file's index, or NULL; lent until the input closes, or until it turns out to be damaged and is given up
 * (trace_input_drop_index()). When there is one but it cannot be used, *problem tells why, else it is NULL;
 * problem may be NULL. Of one that is cut off, that is known at the stream's end. */
struct trace_index *trace_input_index(struct trace_input *in, const char **problem);
void trace_input_drop_index(struct trace_input *in);

/* trace_index_find_chunk(), which must not be called itself: threads that decompress ahead use the same
 * table. */
int trace_input_find_chunk(struct trace_input *in, uint64_t stream_offset, uint64_t *index,
                           struct trace_chunk_entry *out);

/* Likewise trace_index_chunk(). TRACE_ERR_UNSUPPORTED: there is no index. */
int trace_input_known_chunk(struct trace_input *in, uint64_t index, struct trace_chunk_entry *out);

/* Does the file have that chunk of the index where it says, whatever is in it? Chunks that depend on each
 * other have no such place. The input has to be moved then. */
bool trace_input_has_chunk(struct trace_input *in, uint64_t index, const struct trace_chunk_entry *entry);

/* Is each chunk of the index one of the file? Looks at where they are, not at what is in them.
 * TRACE_ERR_FORMAT: no. The input has to be rewound then. */
int trace_input_check_chunks(struct trace_input *in);

/* Does an index begin at this place of the file, usable or not, with what stands before it there? */
bool trace_input_has_index_at(struct trace_input *in, uint64_t start);

/* Makes what is at the place of chunk `index` of the index the next chunk. No chunk is decompressed ahead
 * until some have been read in a row. TRACE_ERR_UNSUPPORTED: it is a pipe. */
int trace_input_seek(struct trace_input *in, uint64_t index, const struct trace_chunk_entry *entry);

/* Starts again with the first chunk. TRACE_ERR_UNSUPPORTED: it is a pipe. */
int trace_input_rewind(struct trace_input *in);

/* Hands each chunk to tee, too, before it is returned; tee is lent it. Its error, with the message as it is,
 * is returned and stays. */
typedef int (*trace_input_tee)(void *context, struct trace_chunk *chunk);
void trace_input_set_tee(struct trace_input *in, trace_input_tee tee, void *context);

/* From now on, notes the chunks that are read, in order; of a container whose chunks depend on each other,
 * none. trace_input_rewind() has to follow. */
void trace_input_note_chunks(struct trace_input *in);
const struct trace_chunk_list *trace_input_noted_chunks(const struct trace_input *in);

const struct trace_codec *trace_input_codec(const struct trace_input *in);

/* Where the stream ended in the file, once all of it was read. */
uint64_t trace_input_end(const struct trace_input *in);

#endif
