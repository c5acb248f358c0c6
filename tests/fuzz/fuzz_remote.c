/* SPDX-License-Identifier: MIT
 * Takes any bytes as what a sender of traces says. However they are cut, the same is understood; nothing is
 * written to a trace that is not open; and no name leads out of a directory.
 */
#include "fuzz_target.h"

#include "run/remote_protocol.h"
#include "run/snappy_end.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct heard {
    uint64_t digest;
    uint64_t bytes;
    struct snappy_end end;
    uint32_t opened, open;
    uint8_t is_open[REMOTE_TRACES_MAX / 8];
};

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static void note(struct heard *h, const void *bytes, size_t size)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < size; ++i)
        h->digest = (h->digest ^ p[i]) * UINT64_C(1099511628211);
}

static int has_trace(const struct heard *h, uint32_t trace)
{
    return trace < REMOTE_TRACES_MAX && (h->is_open[trace / 8] >> (trace % 8) & 1) != 0;
}

static int open_trace(void *context, uint32_t trace, const char *name)
{
    struct heard *h = context;
    char clean[REMOTE_NAME_MAX + 1];
    require(trace == h->opened, "a number out of order");
    h->opened++;
    require(++h->open <= REMOTE_OPEN_MAX, "too many traces");
    h->is_open[trace / 8] |= (uint8_t)(1u << (trace % 8));
    remote_clean_name(clean, name);
    require(clean[0] != '\0' && clean[0] != '.' && clean[0] != '-' && strlen(clean) <= REMOTE_NAME_MAX &&
                strpbrk(clean, "/\\\n\r\t\33`$;&|<>'\"") == NULL,
            "a bad name");
    note(h, clean, strlen(clean));
    return 0;
}

static int take_data(void *context, uint32_t trace, const uint8_t *bytes, size_t size)
{
    struct heard *h = context;
    require(has_trace(h, trace) && size > 0, "data of no trace");
    note(h, bytes, size);
    h->bytes += size;
    snappy_end_follow(&h->end, bytes, size);
    require(h->end.is_other || (h->end.size == h->bytes && h->end.whole <= h->bytes), "a wrong end");
    return 0;
}

static int end_trace(void *context, uint32_t trace)
{
    struct heard *h = context;
    require(has_trace(h, trace), "the end of no trace");
    h->is_open[trace / 8] &= (uint8_t) ~(1u << (trace % 8));
    h->open--;
    note(h, "end", 3);
    return 0;
}

/* Feeds the bytes in pieces of this size. Returns 0, or the parser's error. */
static int hear(struct heard *h, const uint8_t *bytes, size_t count, size_t piece)
{
    static struct remote_parser parser;
    const struct remote_listener listener = {open_trace, take_data, end_trace, h};
    int rc = 0;
    memset(h, 0, sizeof *h);
    remote_parser_init(&parser, &listener);
    for (size_t at = 0; at < count && rc == 0; at += piece)
        rc = remote_parser_feed(&parser, bytes + at, count - at < piece ? count - at : piece);
    require(parser.open_count == h->open && parser.traces == h->opened, "a wrong count");
    return rc;
}

static void check_hello(const uint8_t *bytes, size_t count)
{
    const uint8_t *token;
    size_t size;
    int whole = remote_parse_hello(bytes, count < REMOTE_HELLO_MAX ? count : REMOTE_HELLO_MAX, &token, &size);
    if (whole > 0)
        require(token + size == bytes + (count < REMOTE_HELLO_MAX ? count : REMOTE_HELLO_MAX),
                "a wrong token");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static struct heard whole, cut;
    check_hello(bytes, count);
    int first = hear(&whole, bytes, count, count > 0 ? count : 1);
    int second = hear(&cut, bytes, count, 7);
    require(first == second && whole.digest == cut.digest && whole.bytes == cut.bytes &&
                whole.opened == cut.opened && whole.open == cut.open,
            "what is understood depends on how it is cut");
    require(whole.end.whole == cut.end.whole && whole.end.is_other == cut.end.is_other,
            "the end depends on how it is cut");
    return 0;
}
