/* SPDX-License-Identifier: MIT
 * "Did you mean …?": finds the known word that is most similar to an unknown one.
 */
#ifndef BASE_SIMILAR_WORD_H
#define BASE_SIMILAR_WORD_H

#include <stddef.h>

/* Set word, zero the rest, and pass each candidate to similar_word_consider(). */
struct similar_word {
    const char *word;
    const char *best;  /* a candidate, lent; NULL: none is similar enough */
    unsigned distance; /* edits between word and best */
};

/* Considers a candidate. An edit inserts, deletes or replaces a letter, or swaps it with the next one. A word
 * of six letters or more may have edits in a third of its letters, a shorter one two edits. Words of more
 * than 32 letters are ignored. */
void similar_word_consider(struct similar_word *s, const char *candidate);

/* Writes `; did you mean "PREFIXBEST"?` to out, or "" if there is no best. Returns out. */
const char *similar_word_question(const struct similar_word *s, const char *prefix, char *out, size_t size);

#endif
