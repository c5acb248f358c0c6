/* SPDX-License-Identifier: MIT */
#include "formats/shared/file_window.h"

#include "base/error.h"
#include "base/processors.h"
#include "base/temporary_file.h"
#include "base/write_all.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define STEP            READ_AHEAD_BLOCK
#define ALONE           8                   /* number of steps that are read before others are read ahead */
#define WORTHWHILE      ((uint64_t)4 << 20) /* bytes of a file that are worth a thread */
#define REPORT_INTERVAL ((uint64_t)1 << 20)

void file_window_init(struct file_window *w, struct trace_file *file)
{
    *w = (struct file_window){.file = file};
}

void file_window_fini(struct file_window *w)
{
    read_ahead_stop(w->ahead);
    buf_fini(&w->memory);
}

static void report(struct file_window *w, uint64_t offset)
{
    if (w->progress.report == NULL || offset < w->reported + REPORT_INTERVAL)
        return;
    w->reported = offset;
    w->progress.report(w->progress.context, offset, w->file->size);
}

/* Makes the window begin at offset. Bytes that are in memory are kept. */
static void move_to(struct file_window *w, uint64_t offset)
{
    uint64_t at = offset - w->start;
    w->start = offset;
    if (at <= w->len && w->data != NULL) {
        w->data += at;
        w->len -= (size_t)at;
        return;
    }
    w->len = 0;
    w->is_in_block = false;
    read_ahead_stop(w->ahead);
    w->ahead = NULL;
    w->steps = 0;
}

/* Puts the bytes of the window at the start of w->memory, with room for a step behind them. */
static int make_room(struct file_window *w)
{
    if (!w->is_in_block && w->len > 0)
        memmove(w->memory.data, w->data, w->len);
    w->memory.len = w->is_in_block ? 0 : w->len;
    int rc = buf_reserve(&w->memory, w->len - w->memory.len + STEP);
    if (rc == 0 && w->is_in_block && w->len > 0)
        memcpy(w->memory.data, w->data, w->len);
    if (rc == 0 || !w->is_in_block)
        w->data = w->memory.data;
    w->is_in_block = w->is_in_block && rc != 0;
    return rc;
}

/* Adds the next bytes of the file to the window. */
static int add_step(struct file_window *w, size_t *got)
{
    int rc = make_room(w);
    if (rc == 0)
        rc = trace_file_read_at(w->file, w->start + w->len, w->memory.data + w->len, STEP, got);
    if (rc == 0)
        w->len += *got;
    return rc;
}

/* Does the same with the block that was read ahead. */
static int add_block(struct file_window *w, size_t *got)
{
    uint8_t *block;
    int rc = read_ahead_next(w->ahead, &block, got);
    if (rc != 0)
        return rc;
    if (w->len <= READ_AHEAD_SPACE) {
        if (w->len > 0)
            memcpy(block - w->len, w->data, w->len);
        w->data = block - w->len;
        w->is_in_block = true;
    } else {
        if ((rc = make_room(w)) != 0)
            return rc;
        memcpy(w->memory.data + w->len, block, *got);
    }
    w->len += *got;
    return 0;
}

static bool shall_read_ahead(struct file_window *w)
{
    return ++w->steps > ALONE && w->file->size > w->start + WORTHWHILE && processor_count() > 1;
}

int file_window_load(struct file_window *w, uint64_t offset, size_t count, const uint8_t **out, size_t *got)
{
    size_t step = STEP;
    move_to(w, offset);
    report(w, offset);
    while (w->len < count && step == STEP) {
        if (w->ahead == NULL && shall_read_ahead(w))
            w->ahead = read_ahead_start(w->file, w->start + w->len);
        int rc = w->ahead != NULL ? add_block(w, &step) : add_step(w, &step);
        if (rc != 0)
            return rc;
    }
    *out = w->data;
    *got = w->len;
    return 0;
}

/* --- pipes ----------------------------------------------------------------------------------------- */

static int copy_to(int fd, struct trace_file *from, uint64_t *size)
{
    uint8_t *bytes = malloc(STEP);
    size_t got = 0;
    int rc = bytes != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (*size = 0; rc == 0; *size += got) {
        rc = trace_file_read_at(from, *size, bytes, STEP, &got);
        if (rc != 0 || got == 0)
            break;
        if (write_all(fd, bytes, got) != 0)
            rc = trace_error_set_errno(TRACE_ERR_IO, errno, "cannot write a temporary file");
    }
    free(bytes);
    return rc;
}

int file_window_make_seekable(struct trace_file *file)
{
    uint64_t size;
    if (!file->is_pipe)
        return 0;
    int fd, rc = temporary_file_open(&fd);
    if (rc != 0)
        return rc;
    rc = copy_to(fd, file, &size);
    if (rc != 0) {
        close(fd);
        return rc;
    }
    trace_file_close(file);
    *file = (struct trace_file){.fd = fd, .size = size};
    return 0;
}
