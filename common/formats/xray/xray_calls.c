/* SPDX-License-Identifier: MIT */
#include "formats/xray/xray_calls.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define SEARCH_MAX 4096u /* calls, so that a log of nothing but wrong exits does not take forever */

void xray_calls_fini(struct xray_calls *c)
{
    free(c->functions);
    free(c->calls);
}

void xray_calls_give_back(struct xray_calls *c, struct xray_calls *spare)
{
    struct xray_calls other = *spare;
    if (c->room > spare->room) {
        *spare = *c;
        *c = other;
    }
    xray_calls_fini(c);
    *c = (struct xray_calls){.depth = 0};
}

/* The outer half is forgotten if there are too many. */
static int make_room(struct xray_calls *c, struct xray_calls *spare)
{
    if (c->room == 0 && spare->room > 0) {
        *c = *spare;
        *spare = (struct xray_calls){.depth = 0};
        return 0;
    }
    if (c->room == XRAY_DEPTH_MAX) {
        uint32_t kept = c->depth / 2, from = c->depth - kept;
        memmove(c->functions, c->functions + from, kept * sizeof *c->functions);
        memmove(c->calls, c->calls + from, kept * sizeof *c->calls);
        c->depth = kept;
        return 0;
    }
    uint32_t room = c->room == 0 ? 4 : 2 * c->room;
    uint32_t *functions = realloc(c->functions, room * sizeof *functions);
    if (functions != NULL)
        c->functions = functions;
    struct xray_open_call *calls = realloc(c->calls, room * sizeof *calls);
    if (calls != NULL)
        c->calls = calls;
    if (functions == NULL || calls == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    c->room = room;
    return 0;
}

int xray_calls_enter(struct xray_calls *c, struct xray_calls *spare, const struct trace_function_sig *sig,
                     uint64_t number)
{
    int rc = c->depth == c->room ? make_room(c, spare) : 0;
    if (rc != 0)
        return rc;
    c->functions[c->depth] = sig->number;
    c->calls[c->depth++] = (struct xray_open_call){sig, number};
    return 0;
}

bool xray_calls_exit(struct xray_calls *c, uint32_t function, struct xray_open_call *out)
{
    uint32_t i = c->depth, last = c->depth > SEARCH_MAX ? c->depth - SEARCH_MAX : 0;
    while (i > last && c->functions[i - 1] != function)
        --i;
    if (i == last)
        return false;
    c->depth = i - 1;
    *out = c->calls[c->depth];
    return true;
}
