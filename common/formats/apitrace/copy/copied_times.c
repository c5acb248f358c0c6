/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/copy/copied_times.h"

#include "base/error.h"
#include "base/temporary_file.h"
#include "base/varint.h"
#include "trace/model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Each time is a varint, as in an index: 0, or 1 + the zigzag code of the difference to the last known one.
 */
struct trace_copied_times {
    FILE *file;
    uint64_t last; /* two's complement */
};

int trace_copied_times_open(struct trace_copied_times **out)
{
    int fd;
    int rc = temporary_file_open(&fd);
    if (rc != 0)
        return rc;
    struct trace_copied_times *t = calloc(1, sizeof *t);
    if (t == NULL || (t->file = fdopen(fd, "w+")) == NULL) {
        free(t);
        close(fd);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    }
    *out = t;
    return 0;
}

void trace_copied_times_close(struct trace_copied_times *t)
{
    if (t == NULL)
        return;
    fclose(t->file);
    free(t);
}

static int fail(void)
{
    return trace_error_set_errno(TRACE_ERR_IO, errno, "temporary file with the times of calls");
}

int trace_copied_times_add(struct trace_copied_times *t, int64_t time)
{
    uint8_t bytes[VARINT_MAX_BYTES];
    uint64_t code = 0;
    if (time != TRACE_NO_TIME) {
        int64_t difference = (int64_t)((uint64_t)time - t->last);
        code = ((uint64_t)difference << 1 ^ (0 - (uint64_t)(difference < 0))) + 1;
        t->last = (uint64_t)time;
    }
    size_t size = varint_put(bytes, code);
    return fwrite_unlocked(bytes, 1, size, t->file) == size ? 0 : fail();
}

int trace_copied_times_rewind(struct trace_copied_times *t)
{
    t->last = 0;
    return fseek(t->file, 0, SEEK_SET) == 0 ? 0 : fail();
}

int64_t trace_copied_times_next(struct trace_copied_times *t)
{
    uint64_t code = 0;
    for (unsigned shift = 0;; shift += 7) {
        int byte = getc_unlocked(t->file);
        if (byte == EOF)
            return TRACE_NO_TIME;
        code |= (uint64_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            break;
    }
    if (code == 0)
        return TRACE_NO_TIME;
    code -= 1;
    t->last += code >> 1 ^ (0 - (code & 1));
    return (int64_t)t->last;
}
