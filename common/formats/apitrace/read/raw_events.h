/* SPDX-License-Identifier: MIT
 * Reads a trace event by event, without decoding values: what counts, cuts or edits traces needs no more than
 * where an event begins and ends, whose it is, and where in it something is that may have to change.
 */
#ifndef TRACE_RAW_EVENTS_H
#define TRACE_RAW_EVENTS_H

#include "base/buf.h"
#include "trace/call_set.h"
#include "trace/progress_callback.h"
#include "formats/apitrace/raw_event.h"

struct trace_raw_events;

/* As trace_reader_open(). marks: are the events' marks wanted? */
int trace_raw_events_open(struct trace_raw_events **out, const char *path, bool marks);
/* The same of a file that was probed, which is taken over if that succeeds. */
struct trace_probe;
int trace_raw_events_open_probed(struct trace_raw_events **out, struct trace_probe *probe, bool marks);
void trace_raw_events_close(struct trace_raw_events *e); /* NULL is allowed */

/* As trace_reader_resume_after_damage(). Events after damage have marks in any case. */
void trace_raw_events_resume_after_damage(struct trace_raw_events *e);

/* w is told how far the file has been read. */
void trace_raw_events_set_progress(struct trace_raw_events *e, struct trace_progress_callback w);

/* The next event, lent until the next call (see also trace_raw_events_before_move()); *out is NULL at the
 * end. TRACE_ERR_TRUNCATED: the stream ends inside an event; next comes the end. TRACE_ERR_DAMAGED: events
 * before the next are lost. Any other error stays. */
int trace_raw_events_next(struct trace_raw_events *e, const struct trace_raw_event **out);

/* Passes over calls that are entered and left at once, end no frame, define nothing and look like those
 * before them, where only their number is wanted, up to the one numbered `until`. Returns how many there
 * were; they are numbered from *first on. What comes then has to be asked for (trace_raw_events_next()). 0
 * always: times are wanted, or marks, unless trace_raw_events_forget_known() was called. */
uint64_t trace_raw_events_pass_known(struct trace_raw_events *e, uint64_t until, uint64_t *first);

/* As trace_raw_events_pass_known(), of calls both of whose events begin before that place in the stream. */
uint64_t trace_raw_events_pass_known_before(struct trace_raw_events *e, uint64_t offset, uint64_t *first);

/* As trace_raw_events_pass_known(), appended to out, with numbers from `as` on, which are no greater than
 * theirs, while there is room for any: TRACE_KNOWN_CALL_ROOM bytes. */
#define TRACE_KNOWN_CALL_ROOM 512
uint64_t trace_raw_events_copy_known(struct trace_raw_events *e, uint64_t until, uint64_t as,
                                     struct buf *out);

/* From here on only calls that look like one that is yet to come are passed over: what these refer to was
 * defined. */
void trace_raw_events_forget_known(struct trace_raw_events *e);

/* As trace_raw_events_pass_known(), of at most max calls: tells what each was. Blobs have none of them. */
size_t trace_raw_events_list_known(struct trace_raw_events *e, struct trace_known_call *calls, size_t max,
                                   uint64_t *first);

/* Goes to a place, forward or back, from which on all events of calls come that are left in that frame or
 * later, or not at all; others may come as well. *before is the number of frames that end before the place.
 * Leaves of calls that were entered before the place have no sig. What it costs is as for
 * trace_reader_seek_frame(). */
int trace_raw_events_seek_frame(struct trace_raw_events *e, uint64_t frame, uint64_t *before);

/* As trace_reader_want_calls(). */
void trace_raw_events_want_calls(struct trace_raw_events *e, const struct trace_call_set *set);

/* As trace_reader_want_times(). */
int trace_raw_events_want_times(struct trace_raw_events *e, bool *known);

/* What reading passes over when it jumps ahead: the hook is told first of that (sig is NULL), then of each
 * signature that is defined there. An error of the hook's ends the reading. */
struct trace_indexed_sig;
typedef int (*trace_raw_events_passed_hook)(void *context, const struct trace_indexed_sig *sig);
void trace_raw_events_on_passing(struct trace_raw_events *e, trace_raw_events_passed_hook hook,
                                 void *context);

/* The bytes of an event in fact stay where they are until hook is called, and those of events that follow
 * each other in the stream are next to each other. An error of the hook's ends the reading. */
typedef int (*trace_raw_events_hook)(void *context);
void trace_raw_events_before_move(struct trace_raw_events *e, trace_raw_events_hook hook, void *context);

/* The number of the next call that will be entered. */
uint64_t trace_raw_events_next_number(const struct trace_raw_events *e);

/* Was any event lost? Then leaves may come whose enters are. */
bool trace_raw_events_is_damaged(const struct trace_raw_events *e);

/* After the end: the calls that were entered and not left, in that order; their number, sig and thread only.
 * False when there is no other. */
bool trace_raw_events_next_incomplete(struct trace_raw_events *e, struct trace_raw_event *out);

/* The file's index, or NULL; lent until the next call with e. */
struct trace_index;
struct trace_index *trace_raw_events_index(struct trace_raw_events *e);

/* Why the index that the file has cannot be used; NULL: it can, or there is none. Lent like the index. At the
 * end, more may be known than before. */
const char *trace_raw_events_index_problem(struct trace_raw_events *e);

const char *trace_raw_events_container(const struct trace_raw_events *e);
unsigned trace_raw_events_version(const struct trace_raw_events *e);
unsigned trace_raw_events_semantic_version(const struct trace_raw_events *e);
size_t trace_raw_events_properties(const struct trace_raw_events *e, const struct trace_property **out);

/* The chunk that the latest event ends in, and where in the stream it begins; lent until the next event.
 * Several chunks may have been joined to one. */
struct trace_chunk *trace_raw_events_chunk(const struct trace_raw_events *e, uint64_t *offset);

/* As trace_input_keep_compressed(). */
void trace_raw_events_keep_compressed(struct trace_raw_events *e);

/* The header as it is in the stream. */
const uint8_t *trace_raw_events_header(const struct trace_raw_events *e, size_t *size);

/* Bytes of the file; of a pipe, those read so far. */
uint64_t trace_raw_events_file_size(const struct trace_raw_events *e);

/* Bytes of the stream that were read so far. */
uint64_t trace_raw_events_offset(const struct trace_raw_events *e);

#endif
