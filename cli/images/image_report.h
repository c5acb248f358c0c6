/* SPDX-License-Identifier: MIT
 * The report of diff-images: a page of HTML that needs no other files, but where that would make it too large
 * for a browser.
 */
#ifndef CLI_IMAGE_REPORT_H
#define CLI_IMAGE_REPORT_H

#include "images/diff_images_options.h"
#include "images/picture_difference.h"

#include <stdio.h>

enum image_result {
    IMAGE_SAME,
    IMAGE_DIFFERENT,
    IMAGE_MISSING, /* one of the two is not there */
};

/* Two pictures of the same name. */
struct image_pair {
    const char *name;         /* what follows the prefixes */
    const char *paths[2];     /* reference, source */
    struct image pictures[2]; /* four channels; empty where the file is missing */
    enum image_result result;
    struct picture_difference difference; /* if none is missing */
};

struct image_report {
    const struct diff_images_options *options;
    FILE *file;        /* borrowed */
    uint64_t embedded; /* bytes of pictures in the page */
    uint64_t counts[IMAGE_MISSING + 1];
};

/* Begin and end the page. Errors of the file are left to the caller (ferror()). */
void image_report_begin(struct image_report *r, const struct diff_images_options *options, FILE *file);
void image_report_end(struct image_report *r);

/* Adds a row, with pictures unless they are the same (see --show-all). Errors: TRACE_ERR_IO if a file cannot
 * be read, TRACE_ERR_MEMORY. */
int image_report_add(struct image_report *r, const struct image_pair *pair);

#endif
