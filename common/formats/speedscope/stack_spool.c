/* SPDX-License-Identifier: MIT
 * A block begins with the place of the next one, which is given out before the block is written.
 */
#include "formats/speedscope/stack_spool.h"

#include "base/error.h"
#include "base/temporary_file.h"
#include "base/varint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD       sizeof(uint64_t)
#define FIRST_ROOM 64u /* bytes: there may be many threads with few calls */

void stack_spool_init(struct stack_spool *s)
{
    *s = (struct stack_spool){.fd = -1};
}

void stack_spool_fini(struct stack_spool *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}

static uint64_t give_out(struct stack_spool *s)
{
    uint64_t place = s->end;
    s->end += STACK_SPOOL_BLOCK;
    return place;
}

int stack_spool_begin(struct stack_spool *s, struct stack_spool_chain *c)
{
    *c = (struct stack_spool_chain){.block = malloc(FIRST_ROOM), .len = HEAD, .room = FIRST_ROOM};
    c->first = c->latest = give_out(s);
    return c->block != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

void stack_spool_chain_fini(struct stack_spool_chain *c)
{
    free(c->block);
    c->block = NULL;
}

/* --- writing --------------------------------------------------------------------------------------- */

static int write_block(struct stack_spool *s, struct stack_spool_chain *c)
{
    uint64_t next = give_out(s);
    int rc = s->fd < 0 ? temporary_file_open(&s->fd) : 0;
    memcpy(c->block, &next, HEAD);
    memset(c->block + c->len, 0, STACK_SPOOL_BLOCK - c->len);
    for (size_t done = 0; rc == 0 && done < STACK_SPOOL_BLOCK;) {
        ssize_t n = pwrite(s->fd, c->block + done, STACK_SPOOL_BLOCK - done, (off_t)(c->latest + done));
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            rc = trace_error_set_errno(TRACE_ERR_IO, n < 0 ? errno : ENOSPC,
                                       "cannot write a temporary file (TMPDIR says where)");
    }
    c->latest = next;
    c->len = HEAD;
    return rc;
}

static int make_room(struct stack_spool *s, struct stack_spool_chain *c)
{
    if (c->room == STACK_SPOOL_BLOCK)
        return write_block(s, c);
    uint8_t *block = realloc(c->block, 2 * c->room);
    if (block == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    c->block = block;
    c->room *= 2;
    return 0;
}

/* A record is two numbers: the frame and what it is, never 0, so that zeros fill the rest of a block; and
 * the time since the record before. */
int stack_spool_put(struct stack_spool *s, struct stack_spool_chain *c, const struct stack_end *end)
{
    if (c->room - c->len < 2 * VARINT_MAX_BYTES) {
        int rc = make_room(s, c);
        if (rc != 0)
            return rc;
    }
    c->len += varint_put(c->block + c->len, (uint64_t)end->frame * 2 + end->begins + 1);
    c->len += varint_put(c->block + c->len, (uint64_t)(end->time - c->time));
    c->time = end->time;
    return 0;
}

/* --- reading --------------------------------------------------------------------------------------- */

static int read_block(const struct stack_spool *s, uint8_t *block, uint64_t place)
{
    for (size_t done = 0; done < STACK_SPOOL_BLOCK;) {
        ssize_t n = pread(s->fd, block + done, STACK_SPOOL_BLOCK - done, (off_t)(place + done));
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            return trace_error_set_errno(TRACE_ERR_IO, n < 0 ? errno : EIO, "cannot read a temporary file");
    }
    return 0;
}

static int take_block(const uint8_t *block, size_t len, int64_t *time,
                      int (*take)(void *context, const struct stack_end *end), void *context)
{
    const uint8_t *p = block + HEAD, *limit = block + len;
    int rc = 0;
    while (rc == 0 && p < limit && *p != 0) {
        uint64_t what = 0, passed = 0;
        p += varint_get(p, limit, &what);
        p += varint_get(p, limit, &passed);
        *time += (int64_t)passed;
        rc = take(context, &(struct stack_end){(what - 1) % 2 != 0, (uint32_t)((what - 1) / 2), *time});
    }
    return rc;
}

int stack_spool_read(const struct stack_spool *s, struct stack_spool_chain *c,
                     int (*take)(void *context, const struct stack_end *end), void *context)
{
    uint8_t block[STACK_SPOOL_BLOCK];
    int64_t time = 0;
    int rc = 0;
    for (uint64_t place = c->first; rc == 0 && place != c->latest; memcpy(&place, block, HEAD)) {
        rc = read_block(s, block, place);
        if (rc == 0)
            rc = take_block(block, sizeof block, &time, take, context);
    }
    return rc == 0 ? take_block(c->block, c->len, &time, take, context) : rc;
}
