/* SPDX-License-Identifier: MIT
 * "Did you mean …?": which of the words that are known is most like one that is not.
 */
#ifndef BASE_SIMILAR_WORD_H
#define BASE_SIMILAR_WORD_H

#include <stddef.h>

/* Set word, and zero the rest; then show it all candidates. */
struct similar_word {
    const char *word;
    const char *best; /* lent from its caller; NULL: none is near enough */
    unsigned distance;
};

/* Letters to add, leave out, change or swap with the next one, of words that are not too long: near is what
 * differs in a third of the letters at most. */
void similar_word_see(struct similar_word *s, const char *candidate);

/* Writes `; did you mean "PREFIXBEST"?`, or nothing if there is no best, into out, and returns it. */
const char *similar_word_question(const struct similar_word *s, const char *prefix, char *out, size_t size);

#endif
