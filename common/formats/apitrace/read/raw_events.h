/* SPDX-License-Identifier: MIT
 * Reads a trace event by event without decoding values, for commands that count, cut or edit traces. It
 * yields where an event begins and ends, which call it belongs to, and the positions inside it that an edit
 * may have to change.
 */
#ifndef TRACE_RAW_EVENTS_H
#define TRACE_RAW_EVENTS_H

#include "base/buf.h"
#include "trace/call_set.h"
#include "trace/progress_callback.h"
#include "formats/apitrace/raw_event.h"

struct trace_raw_events;

/* Does the same as trace_reader_open(). marks: events must provide marks. */
int trace_raw_events_open(struct trace_raw_events **out, const char *path, bool marks);
/* Does the same for a probed file, which is taken over on success. */
struct trace_probe;
int trace_raw_events_open_probed(struct trace_raw_events **out, struct trace_probe *probe, bool marks);
void trace_raw_events_close(struct trace_raw_events *e); /* e may be NULL */

/* Does the same as trace_reader_resume_after_damage(). Events after damage always have marks. */
void trace_raw_events_resume_after_damage(struct trace_raw_events *e);

/* Sets the callback that is told how far the file has been read. */
void trace_raw_events_set_progress(struct trace_raw_events *e, struct trace_progress_callback w);

/* Reads the next event. It is lent until the next call; see also trace_raw_events_before_move(). *out is NULL
 * at the end. Errors: TRACE_ERR_TRUNCATED: the stream ends inside an event; the end follows.
 * TRACE_ERR_DAMAGED: events before the next one are lost. Every other error is permanent. */
int trace_raw_events_next(struct trace_raw_events *e, const struct trace_raw_event **out);

/* For a stream without its beginning; call them before the first event. The first defines a signature as
 * trace_stream_define() does, the second sets the number of the first call that will be entered. */
int trace_raw_events_define(struct trace_raw_events *e, enum trace_sig_kind kind, const uint8_t *bytes,
                            size_t size);
void trace_raw_events_number_from(struct trace_raw_events *e, uint64_t number);

/* Skips calls of which only the number is wanted, up to the call numbered `until`. It skips calls that return
 * immediately, end no frame, define nothing, and have the same shape as earlier ones. Returns how many were
 * skipped; the first had number *first. Read the event that follows with trace_raw_events_next(). Always
 * returns 0 if times are wanted, or if marks are wanted and trace_raw_events_forget_known() was not called.
 */
uint64_t trace_raw_events_pass_known(struct trace_raw_events *e, uint64_t until, uint64_t *first);

/* Does the same as trace_raw_events_pass_known() for calls of which both events begin before this stream
 * offset. */
uint64_t trace_raw_events_pass_known_before(struct trace_raw_events *e, uint64_t offset, uint64_t *first);

/* Does the same as trace_raw_events_pass_known(), but appends the calls to out, with numbers from `as` on,
 * which must not be above the old ones. Stops when less than TRACE_KNOWN_CALL_ROOM bytes are left. */
#define TRACE_KNOWN_CALL_ROOM 512
uint64_t trace_raw_events_copy_known(struct trace_raw_events *e, uint64_t until, uint64_t as,
                                     struct buf *out);

/* From now on, only calls are skipped whose shape occurs again after this point, since what such calls refer
 * to has then been defined. */
void trace_raw_events_forget_known(struct trace_raw_events *e);

/* Does the same as trace_raw_events_pass_known() for at most max calls, and lists them. None of them contains
 * blobs. */
size_t trace_raw_events_list_known(struct trace_raw_events *e, struct trace_known_call *calls, size_t max,
                                   uint64_t *first);

/* Moves forwards or backwards to a position from which on all events of calls are returned that return in
 * that frame or later, or never; other events may be returned, too. *before receives the number of frames
 * that end before the position. Leave events of calls that were entered before have no sig. For the cost see
 * trace_reader_seek_frame(). */
int trace_raw_events_seek_frame(struct trace_raw_events *e, uint64_t frame, uint64_t *before);

/* Does the same as trace_reader_want_calls(). */
void trace_raw_events_want_calls(struct trace_raw_events *e, const struct trace_call_set *set);

/* Does the same as trace_reader_want_times(). */
int trace_raw_events_want_times(struct trace_raw_events *e, bool *known);

/* Set a hook for what is skipped when reading jumps ahead. It is called first with a NULL sig, then once for
 * each signature that is defined in the skipped part. If it returns an error, reading ends with this error.
 */
struct trace_indexed_sig;
typedef int (*trace_raw_events_passed_hook)(void *context, const struct trace_indexed_sig *sig);
void trace_raw_events_on_passing(struct trace_raw_events *e, trace_raw_events_passed_hook hook,
                                 void *context);

/* Keeps the bytes of events valid until hook is called; events that are adjacent in the stream are adjacent
 * in memory. If the hook returns an error, reading ends with this error. */
typedef int (*trace_raw_events_hook)(void *context);
void trace_raw_events_before_move(struct trace_raw_events *e, trace_raw_events_hook hook, void *context);

/* Returns the number of the next call that will be entered. */
uint64_t trace_raw_events_next_number(const struct trace_raw_events *e);

/* Returns true if any event was lost. Leave events may then occur without their enter events. */
bool trace_raw_events_is_damaged(const struct trace_raw_events *e);

/* After the end: iterates over the calls that never returned, in the order of entry. Only sets call, sig and
 * thread. Returns false if there are no more. */
bool trace_raw_events_next_incomplete(struct trace_raw_events *e, struct trace_raw_event *out);

/* Returns the index of the file, or NULL. Lent until the next call on e. */
struct trace_index;
struct trace_index *trace_raw_events_index(struct trace_raw_events *e);

/* Returns why the index of the file cannot be used, or NULL if it can or if there is none. Lent like the
 * index. Some problems are only detected at the end of the stream. */
const char *trace_raw_events_index_problem(struct trace_raw_events *e);

const char *trace_raw_events_container(const struct trace_raw_events *e);
unsigned trace_raw_events_version(const struct trace_raw_events *e);
unsigned trace_raw_events_semantic_version(const struct trace_raw_events *e);
size_t trace_raw_events_properties(const struct trace_raw_events *e, const struct trace_property **out);

/* Returns the chunk in which the last event ends, and its stream offset. Lent until the next event. Several
 * chunks may have been joined into one. */
struct trace_chunk *trace_raw_events_chunk(const struct trace_raw_events *e, uint64_t *offset);

/* Does the same as trace_input_keep_compressed(). */
void trace_raw_events_keep_compressed(struct trace_raw_events *e);

/* Returns the bytes of the header in the stream. */
const uint8_t *trace_raw_events_header(const struct trace_raw_events *e, size_t *size);

/* Returns the size of the file in bytes; for a pipe, the number of bytes read so far. */
uint64_t trace_raw_events_file_size(const struct trace_raw_events *e);

/* Returns the number of bytes of the stream that have been read. */
uint64_t trace_raw_events_offset(const struct trace_raw_events *e);

#endif
