/* SPDX-License-Identifier: MIT */
#include "diff/diff_anchors.h"

#include "base/error.h"

#include <stdbool.h>
#include <stdlib.h>

/* Special values in place of an index in the anchors' table. */
#define NOWHERE UINT32_MAX
#define OFTEN   (UINT32_MAX - 1)

/* Hash tables with open addressing; the elements are hashes already. Key 0 marks an empty slot, so element 0
 * is given another key, and is not distinguished from the element that has this key. */
static uint64_t key_of(uint64_t element)
{
    return element != 0 ? element : UINT64_C(0x9e3779b97f4a7c15);
}

/* Returns a power of two that leaves at least a quarter of the slots empty. */
static size_t table_size(size_t elements)
{
    size_t size = 16;
    while (size / 4 * 3 < elements)
        size *= 2;
    return size;
}

static int out_of_memory(size_t elements)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory: a table of %zu calls", elements);
}

/* --- common elements ------------------------------------------------------------------------------- */

struct presence {
    uint64_t *keys;
    bool *in_both;
    size_t mask;
};

static size_t find_key(const struct presence *t, uint64_t element)
{
    uint64_t key = key_of(element);
    size_t i = key & t->mask;
    while (t->keys[i] != 0 && t->keys[i] != key)
        i = (i + 1) & t->mask;
    return i;
}

static int presence_init(struct presence *t, const uint64_t *elements, size_t count)
{
    size_t size = table_size(count);
    t->mask = size - 1;
    t->keys = calloc(size, sizeof *t->keys);
    t->in_both = calloc(size, sizeof *t->in_both);
    if (t->keys == NULL || t->in_both == NULL)
        return out_of_memory(count);
    for (size_t i = 0; i < count; ++i)
        t->keys[find_key(t, elements[i])] = key_of(elements[i]);
    return 0;
}

static size_t mark_common(struct presence *t, const uint64_t *b, size_t count)
{
    size_t common = 0;
    for (size_t i = 0; i < count; ++i) {
        size_t slot = find_key(t, b[i]);
        if (t->keys[slot] == 0)
            continue;
        t->in_both[slot] = true;
        ++common;
    }
    return common;
}

/* Keeps the elements that occur in both sequences; there are at most `most`. */
static int keep_common(const struct presence *t, const uint64_t *elements, size_t count, size_t most,
                       struct diff_subsequence *out)
{
    out->elements = malloc((most + 1) * sizeof *out->elements);
    out->places = malloc((most + 1) * sizeof *out->places);
    if (out->elements == NULL || out->places == NULL)
        return out_of_memory(most);
    for (size_t i = 0; i < count; ++i)
        if (t->in_both[find_key(t, elements[i])]) {
            out->elements[out->count] = elements[i];
            out->places[out->count++] = i;
        }
    return 0;
}

int diff_find_common(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count,
                     struct diff_common *out)
{
    struct presence t = {NULL, NULL, 0};
    *out = (struct diff_common){{NULL, NULL, 0}, {NULL, NULL, 0}};
    int rc = presence_init(&t, a, a_count);
    if (rc == 0) {
        size_t common = mark_common(&t, b, b_count);
        rc = keep_common(&t, b, b_count, common, &out->b);
    }
    if (rc == 0)
        rc = keep_common(&t, a, a_count, a_count, &out->a);
    free(t.keys);
    free(t.in_both);
    if (rc != 0)
        diff_common_fini(out);
    return rc;
}

void diff_common_fini(struct diff_common *c)
{
    free(c->a.elements);
    free(c->a.places);
    free(c->b.elements);
    free(c->b.places);
    *c = (struct diff_common){{NULL, NULL, 0}, {NULL, NULL, 0}};
}

/* --- anchors --------------------------------------------------------------------------------------- */

struct place {
    uint64_t key;
    uint32_t a; /* index, or NOWHERE or OFTEN */
    uint32_t b;
};

struct places {
    struct place *slots;
    size_t mask;
};

static struct place *find_place(const struct places *t, uint64_t element)
{
    uint64_t key = key_of(element);
    size_t i = key & t->mask;
    while (t->slots[i].key != 0 && t->slots[i].key != key)
        i = (i + 1) & t->mask;
    return &t->slots[i];
}

static int places_init(struct places *t, const uint64_t *a, size_t count)
{
    size_t size = table_size(count);
    t->mask = size - 1;
    t->slots = calloc(size, sizeof *t->slots);
    if (t->slots == NULL)
        return out_of_memory(count);
    for (size_t i = 0; i < count; ++i) {
        struct place *p = find_place(t, a[i]);
        if (p->key != 0)
            p->a = OFTEN;
        else
            *p = (struct place){key_of(a[i]), (uint32_t)i, NOWHERE};
    }
    return 0;
}

/* Returns how many elements occur once in a and once in b. */
static size_t mark_unique(struct places *t, const uint64_t *b, size_t count)
{
    size_t unique = 0;
    for (size_t i = 0; i < count; ++i) {
        struct place *p = find_place(t, b[i]);
        if (p->key == 0 || p->a == OFTEN)
            continue;
        if (p->b == NOWHERE)
            ++unique;
        else if (p->b != OFTEN)
            --unique;
        p->b = p->b == NOWHERE ? (uint32_t)i : OFTEN;
    }
    return unique;
}

/* Collects the pairs in the order of b. */
static void collect_pairs(const struct places *t, const uint64_t *b, size_t count, struct diff_anchors *out)
{
    for (size_t i = 0; i < count; ++i) {
        const struct place *p = find_place(t, b[i]);
        if (p->key != 0 && p->a != OFTEN && p->b == (uint32_t)i)
            out->pairs[out->count++] = (struct diff_pair){p->a, i};
    }
}

/* Patience sorting: returns the first pile whose top is not below a. Most often that is a new pile. */
static size_t find_pile(const struct diff_pair *pairs, const uint32_t *tops, size_t piles, size_t a)
{
    size_t low = 0, high = piles;
    if (piles == 0 || pairs[tops[piles - 1]].a < a)
        return piles;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pairs[tops[middle]].a < a)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Keeps a longest subsequence of the pairs that also ascends in a. The pairs ascend in b. */
static int keep_ascending(struct diff_anchors *anchors)
{
    size_t count = anchors->count, piles = 0;
    uint32_t *tops = malloc((count + 1) * sizeof *tops);
    uint32_t *before = malloc((count + 1) * sizeof *before);
    int rc = tops == NULL || before == NULL ? out_of_memory(count) : 0;
    for (size_t i = 0; i < count && rc == 0; ++i) {
        size_t pile = find_pile(anchors->pairs, tops, piles, anchors->pairs[i].a);
        before[i] = pile > 0 ? tops[pile - 1] : NOWHERE;
        tops[pile] = (uint32_t)i;
        piles += pile == piles;
    }
    if (rc == 0 && piles > 0) {
        uint32_t i = tops[piles - 1];
        for (size_t n = piles; n-- > 0; i = before[i])
            tops[n] = i; /* element n of the subsequence was on pile n */
        for (size_t n = 0; n < piles; ++n)
            anchors->pairs[n] = anchors->pairs[tops[n]];
        anchors->count = piles;
    }
    free(tops);
    free(before);
    return rc;
}

int diff_find_anchors(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count,
                      struct diff_anchors *out)
{
    struct places t = {NULL, 0};
    *out = (struct diff_anchors){NULL, 0};
    if (a_count >= OFTEN || b_count >= OFTEN)
        return 0;
    int rc = places_init(&t, a, a_count);
    size_t unique = rc == 0 ? mark_unique(&t, b, b_count) : 0;
    if (unique > 0) {
        out->pairs = malloc(unique * sizeof *out->pairs);
        if (out->pairs == NULL)
            rc = out_of_memory(unique);
        else
            collect_pairs(&t, b, b_count, out);
    }
    free(t.slots);
    if (rc == 0 && out->count > 0)
        rc = keep_ascending(out);
    if (rc != 0)
        diff_anchors_fini(out);
    return rc;
}

void diff_anchors_fini(struct diff_anchors *c)
{
    free(c->pairs);
    *c = (struct diff_anchors){NULL, 0};
}
