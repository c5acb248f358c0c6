/* SPDX-License-Identifier: MIT */
#include "base/similar_word.h"

#include <stdio.h>
#include <string.h>

#define MAX_LENGTH 32

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The edit distance with transpositions. Each row of the table is for a prefix of a. Only three rows are
 * kept. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][MAX_LENGTH + 1];
    for (size_t j = 0; j <= b_length; ++j)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; ++i) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; ++j) {
            row[j] = least(least(row[j - 1], above[j]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

void similar_word_consider(struct similar_word *s, const char *candidate)
{
    size_t length = strlen(s->word), other = strlen(candidate);
    if (length < 2 || length > MAX_LENGTH || other > MAX_LENGTH)
        return;
    unsigned d = distance(s->word, length, candidate, other);
    unsigned limit = (unsigned)(length < 6 ? 2 : length / 3);
    if (d > limit || d >= length - 1 || (s->best != NULL && d >= s->distance))
        return;
    s->best = candidate;
    s->distance = d;
}

const char *similar_word_question(const struct similar_word *s, const char *prefix, char *out, size_t size)
{
    out[0] = '\0';
    if (s->best != NULL)
        snprintf(out, size, "; did you mean \"%s%s\"?", prefix, s->best);
    return out;
}
