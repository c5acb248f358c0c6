/* SPDX-License-Identifier: MIT */
#include "run/remote_protocol.h"

#include "base/error.h"

#include <string.h>

#define SUFFIX ".trace"

static void put_u32(uint8_t *out, uint32_t value)
{
    for (unsigned i = 0; i < 4; ++i)
        out[i] = (uint8_t)(value >> (8 * i));
}

static uint32_t get_u32(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void remote_put_header(uint8_t header[REMOTE_HEADER], unsigned kind, uint32_t trace, uint32_t size)
{
    header[0] = (uint8_t)kind;
    put_u32(header + 1, trace);
    put_u32(header + 5, size);
}

void remote_parser_init(struct remote_parser *p, const struct remote_listener *listener)
{
    *p = (struct remote_parser){.listener = listener};
}

static uint32_t trace_of(const struct remote_parser *p)
{
    return get_u32(p->header + 1);
}

static bool is_open(const struct remote_parser *p, uint32_t trace)
{
    return trace < p->traces && (p->is_open[trace / 8] >> (trace % 8) & 1) != 0;
}

static void set_open(struct remote_parser *p, uint32_t trace, bool open)
{
    uint8_t bit = (uint8_t)(1u << (trace % 8));
    p->is_open[trace / 8] = (uint8_t)(open ? p->is_open[trace / 8] | bit : p->is_open[trace / 8] & ~bit);
    p->open_count = open ? p->open_count + 1 : p->open_count - 1;
}

/* May this frame come here? */
static bool is_sound(const struct remote_parser *p)
{
    uint32_t trace = trace_of(p);
    switch ((enum remote_frame)p->header[0]) {
    case REMOTE_OPEN:
        return trace == p->traces && trace < REMOTE_TRACES_MAX && p->open_count < REMOTE_OPEN_MAX &&
               p->left > 0 && p->left <= REMOTE_NAME_MAX;
    case REMOTE_DATA:
        return is_open(p, trace) && p->left > 0 && p->left <= REMOTE_DATA_MAX;
    case REMOTE_END:
        return is_open(p, trace) && p->left == 0;
    case REMOTE_BYE:
        return trace == 0 && p->left == 0 && p->open_count == 0;
    }
    return false;
}

/* A header is complete. */
static int begin_frame(struct remote_parser *p)
{
    p->left = get_u32(p->header + 5);
    p->name_size = 0;
    if (!is_sound(p))
        return trace_error_set(TRACE_ERR_FORMAT, "the sender breaks the protocol");
    if (p->left > 0)
        return 0;
    p->header_size = 0;
    p->said_bye = p->header[0] == REMOTE_BYE;
    if (p->said_bye)
        return 0;
    set_open(p, trace_of(p), false);
    return p->listener->end(p->listener->context, trace_of(p));
}

static int take_payload(struct remote_parser *p, const uint8_t *bytes, size_t size)
{
    int rc = 0;
    p->left -= (uint32_t)size;
    if (p->left == 0)
        p->header_size = 0;
    if (p->header[0] == REMOTE_DATA)
        return p->listener->data(p->listener->context, trace_of(p), bytes, size);
    memcpy(p->name + p->name_size, bytes, size);
    p->name_size += (unsigned)size;
    if (p->left > 0)
        return 0;
    p->name[p->name_size] = '\0';
    p->traces++;
    set_open(p, trace_of(p), true);
    rc = p->listener->open(p->listener->context, trace_of(p), p->name);
    return rc;
}

int remote_parser_feed(struct remote_parser *p, const uint8_t *bytes, size_t size)
{
    int rc = 0;
    while (size > 0 && rc == 0) {
        size_t n = 1;
        if (p->said_bye)
            return trace_error_set(TRACE_ERR_FORMAT, "the sender goes on after its end");
        if (p->left > 0) {
            n = size < p->left ? size : p->left;
            rc = take_payload(p, bytes, n);
        } else {
            p->header[p->header_size++] = *bytes;
            rc = p->header_size == REMOTE_HEADER ? begin_frame(p) : 0;
        }
        bytes += n;
        size -= n;
    }
    return rc;
}

int remote_parse_hello(const uint8_t *bytes, size_t size, const uint8_t **token, size_t *token_size)
{
    size_t known = size < REMOTE_MAGIC_SIZE ? size : REMOTE_MAGIC_SIZE;
    if (memcmp(bytes, REMOTE_MAGIC, known) != 0)
        return -1;
    if (size <= REMOTE_MAGIC_SIZE)
        return 0;
    *token_size = bytes[REMOTE_MAGIC_SIZE];
    *token = bytes + REMOTE_MAGIC_SIZE + 1;
    size_t whole = REMOTE_MAGIC_SIZE + 1 + *token_size;
    return size < whole ? 0 : size == whole ? 1 : -1; /* nobody sends more before the answer */
}

static bool is_harmless(char c, size_t at)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (at > 0 && (c == '.' || c == '-' || c == '+' || c == ' '));
}

void remote_clean_name(char out[REMOTE_NAME_MAX + 1], const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *base = slash != NULL ? slash + 1 : name;
    size_t size = strlen(base);
    if (size > strlen(SUFFIX) && strcmp(base + size - strlen(SUFFIX), SUFFIX) == 0)
        size -= strlen(SUFFIX); /* it gets this one again */
    size = size < REMOTE_NAME_MAX ? size : REMOTE_NAME_MAX;
    for (size_t i = 0; i < size; ++i)
        out[i] = '_';
    for (size_t i = 0; i < size; ++i)
        if (is_harmless(base[i], i))
            out[i] = base[i];
    out[size] = '\0';
    if (size == 0)
        strcpy(out, "program");
}
