/* SPDX-License-Identifier: MIT
 * The hand-written part of a manual page, docs/man/NAME.1.in. It consists of sections that begin with ".SH
 * TITLE". A section ".SH OPTION --name" adds to an option's line of help.
 */
#ifndef CLI_GENERATE_PAGE_FRAGMENT_H
#define CLI_GENERATE_PAGE_FRAGMENT_H

#include <stdbool.h>
#include <stddef.h>

#define PAGE_FRAGMENT_MAX_SECTIONS 64

struct page_section {
    const char *title; /* without ".SH " */
    const char *body;  /* lines of roff, each with its line end */
    int line;          /* of the title */
    bool used;
};

struct page_fragment {
    char path[4096];
    char *text; /* owned; split into strings */
    struct page_section sections[PAGE_FRAGMENT_MAX_SECTIONS];
    size_t count;
};

/* Reads directory/NAME.1.in; a file that does not exist is a fragment without sections. */
int page_fragment_read(struct page_fragment *f, const char *directory, const char *name);
void page_fragment_free(struct page_fragment *f);

/* Returns the body of a section and marks it as used; NULL if there is no such section. */
const char *page_fragment_take(struct page_fragment *f, const char *title);

/* Returns TRACE_ERR_USAGE, with file and line in the message, if a section was not used: its title is then
 * wrong. */
int page_fragment_check_used(const struct page_fragment *f);

#endif
