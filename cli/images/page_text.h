/* SPDX-License-Identifier: MIT
 * Text and addresses in a page of HTML.
 */
#ifndef CLI_PAGE_TEXT_H
#define CLI_PAGE_TEXT_H

#include <stdio.h>

/* Writes text that may have any characters, as contents or as the value of an attribute. */
void page_text(FILE *file, const char *text);

/* Writes the address of a file. */
void page_address(FILE *file, const char *path);

#endif
