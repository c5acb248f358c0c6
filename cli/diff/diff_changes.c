/* SPDX-License-Identifier: MIT */
#include "diff/diff_changes.h"

#include <stdbool.h>
#include <string.h>

/* The function's name, the arguments with their names, and what follows the closing bracket. */
struct pieces {
    size_t count;
    struct diff_part parts[DIFF_MAX_CHANGES + 2];
};

/* Returns the offset after the string that begins with the quote at `at`. */
static size_t skip_string(const char *text, size_t size, size_t at)
{
    for (++at; at < size && text[at] != '"'; ++at)
        at += text[at] == '\\';
    return at < size ? at + 1 : size;
}

static bool end_piece(struct pieces *p, size_t end)
{
    if (p->count + 1 == sizeof p->parts / sizeof p->parts[0])
        return false;
    p->parts[p->count++].end = end;
    p->parts[p->count].at = end;
    return true;
}

/* Returns false if there are too many. */
static bool split(struct pieces *p, const char *text, size_t size)
{
    int depth = 0;
    *p = (struct pieces){0};
    for (size_t i = 0; i < size;) {
        char c = text[i];
        if (c == '"') {
            i = skip_string(text, size, i);
            continue;
        }
        ++i;
        depth -= c == ')' || c == '}';
        if ((c == ',' && depth == 1) || (c == ')' && depth == 0) || (c == '(' && depth == 0))
            if (!end_piece(p, i - (c != '(')))
                return false;
        depth += c == '(' || c == '{';
    }
    return end_piece(p, size);
}

/* Returns the offset after "name = ", which may also occur inside a string value. */
static size_t value_start(const char *text, const struct diff_part *piece)
{
    for (size_t i = piece->at; i + 3 <= piece->end && text[i] != '"'; ++i)
        if (memcmp(text + i, " = ", 3) == 0)
            return i + 3;
    return piece->at + strspn(text + piece->at, ", )");
}

static bool is_same(const char *a, const struct diff_part *x, const char *b, const struct diff_part *y)
{
    size_t size = x->end - x->at;
    return size == y->end - y->at && memcmp(a + x->at, b + y->at, size) == 0;
}

/* One part: everything between the common beginning and the common end. */
static void find_middle(struct diff_changes *out, const char *text, size_t size, const char *other,
                        size_t other_size)
{
    size_t shorter = size < other_size ? size : other_size;
    size_t head = 0;
    size_t tail = 0;
    while (head < shorter && text[head] == other[head])
        ++head;
    while (tail < shorter - head && text[size - tail - 1] == other[other_size - tail - 1])
        ++tail;
    if (head < size - tail)
        out->parts[out->count++] = (struct diff_part){head, size - tail};
}

void diff_find_changes(struct diff_changes *out, const char *text, size_t size, const char *other,
                       size_t other_size)
{
    struct pieces a, b;
    out->count = 0;
    if (!split(&a, text, size) || !split(&b, other, other_size) || a.count != b.count) {
        find_middle(out, text, size, other, other_size);
        return;
    }
    for (size_t i = 1; i < a.count; ++i) {
        struct diff_part part = {value_start(text, &a.parts[i]), a.parts[i].end};
        if (!is_same(text, &a.parts[i], other, &b.parts[i]) && part.at < part.end)
            out->parts[out->count++] = part;
    }
}
