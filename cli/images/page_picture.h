/* SPDX-License-Identifier: MIT
 * Pictures in a page of HTML.
 */
#ifndef CLI_PAGE_PICTURE_H
#define CLI_PAGE_PICTURE_H

#include "image/image.h"

#include <stdio.h>

/* Writes the attribute src with the picture itself. path: a file with it, whose bytes are taken if it is a
 * PNG; NULL: none. Adds their number to *bytes. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int page_picture_embed(FILE *file, const struct image *im, const char *path, uint64_t *bytes);

/* Writes the attribute data-full with the address of the file, which is absolute, since the page may be
 * elsewhere. */
void page_picture_link(FILE *file, const char *path);

#endif
