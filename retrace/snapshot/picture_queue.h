/* SPDX-License-Identifier: MIT
 * Pictures that threads encode to PNG files, while the replay goes on. Their number is bounded, so that the
 * memory is, too.
 */
#ifndef RETRACE_PICTURE_QUEUE_H
#define RETRACE_PICTURE_QUEUE_H

#include "snapshot/snapshot_picture.h"

struct picture_queue;

/* Starts the threads. With 0 threads, or if none can be started, the caller encodes. Errors:
 * TRACE_ERR_MEMORY. */
int picture_queue_open(struct picture_queue **out, unsigned threads);

/* Hands over a picture, which is empty afterwards, also after an error. Waits while too many others are not
 * written. When a picture is written, its path is printed on stdout; this happens in their order. Errors:
 * TRACE_ERR_IO if the file cannot be created, or an earlier one was not written; TRACE_ERR_MEMORY. */
int picture_queue_add(struct picture_queue *q, struct snapshot_picture *p, const char *path);

/* Waits until all pictures are written, and ends the threads. q may be NULL. Errors: as above. */
int picture_queue_close(struct picture_queue *q);

#endif
