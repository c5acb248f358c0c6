/* SPDX-License-Identifier: MIT */
#include "base/option_error.h"

#include "base/error.h"
#include "base/similar_word.h"

#include <stdio.h>
#include <string.h>

#define QUESTION_SIZE 96

/* Writes the options that an abbreviation could stand for, as "--a, --b, --c". Returns their number. */
static int list_matches(const char *name, size_t length, const struct option *longs, char *out, size_t size)
{
    int count = 0;
    int last = -1;
    size_t used = 0;
    for (const struct option *l = longs; l->name != NULL; ++l) {
        if (strncmp(l->name, name, length) != 0 || l->val == last)
            continue;
        last = l->val;
        if (used < size)
            used += (size_t)snprintf(out + used, size - used, "%s--%s", count > 0 ? ", " : "", l->name);
        count++;
    }
    return count;
}

/* Ignores the dashes and a value after the name. */
static const char *find_similar(const char *name, const struct option *longs, char *question)
{
    char word[64];
    struct similar_word s = {.word = word};
    snprintf(word, sizeof word, "%.*s", (int)strcspn(name, "="), name);
    for (const struct option *l = longs; l->name != NULL; ++l)
        similar_word_consider(&s, l->name);
    return similar_word_question(&s, "--", question, QUESTION_SIZE);
}

static int long_error(const char *word, const struct option *longs)
{
    char matches[512] = "", question[QUESTION_SIZE];
    size_t length = strcspn(word, "=");
    if (list_matches(word + 2, length - 2, longs, matches, sizeof matches) > 1)
        return trace_error_set(TRACE_ERR_USAGE, "option %.*s is ambiguous: %s", (int)length, word, matches);
    return trace_error_set(TRACE_ERR_USAGE, "option %.*s is unknown%s", (int)length, word,
                           find_similar(word + 2, longs, question));
}

/* A word such as -calls=3 is parsed as single-letter options. */
static int letter_error(char **argv, const struct option *longs)
{
    char question[QUESTION_SIZE] = "";
    const char *word = argv[optind]; /* other letters follow, or it was the last one */
    if (word == NULL || word[0] != '-' || strchr(word, optopt) == NULL)
        word = argv[optind - 1];
    if (word[0] == '-' && strlen(word) > 3)
        find_similar(word + 1, longs, question);
    return trace_error_set(TRACE_ERR_USAGE, "option -%c is unknown%s", optopt, question);
}

int option_error(int result, char **argv, const struct option *longs)
{
    const char *word = argv[optind - 1];
    if (strncmp(word, "--", 2) != 0)
        return result == ':' ? trace_error_set(TRACE_ERR_USAGE, "option -%c needs a value", optopt)
                             : letter_error(argv, longs);
    if (result == ':')
        return trace_error_set(TRACE_ERR_USAGE, "option %s needs a value", word);
    if (optopt != 0) /* a known long option */
        return trace_error_set(TRACE_ERR_USAGE, "option %s takes no value", word);
    return long_error(word, longs);
}
