/* SPDX-License-Identifier: MIT
 * A part of a text. It is lent, and does not end with a NUL.
 */
#ifndef FORMATS_TEXT_SLICE_H
#define FORMATS_TEXT_SLICE_H

#include <stddef.h>

struct text_slice {
    const char *text;
    size_t length;
};

#endif
