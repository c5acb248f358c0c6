/* SPDX-License-Identifier: MIT
 * The names of picture files that begin with a prefix.
 */
#ifndef CLI_PICTURE_NAMES_H
#define CLI_PICTURE_NAMES_H

#include <stddef.h>

/* What follows the prefixes, sorted, each once. */
struct picture_names {
    char **names; /* owned */
    size_t count, room;
};

/* Adds the names of all PNG and PNM files, also in directories below that of the prefix. Pictures that an
 * earlier comparison by apitrace has made (.diff.png, .thumb.png) are left out. Errors: TRACE_ERR_IO,
 * TRACE_ERR_MEMORY. */
int picture_names_find(struct picture_names *out, const char *prefix);

/* Sorts all names, and removes those that are there twice. */
void picture_names_sort(struct picture_names *names);
void picture_names_fini(struct picture_names *names);

#endif
