/* SPDX-License-Identifier: MIT */
#include "shell/json_print.h"

#include "base/json_writer.h"
#include "base/utf8.h"

#include <stdio.h>

/* Replaces each byte that is not part of a character by U+FFFD, because JSON must be UTF-8. */
static int replace_invalid(struct buf *out, const char *text, size_t count)
{
    int rc = 0;
    while (count > 0 && rc == 0) {
        size_t size = utf8_character_size(text, count);
        rc = size > 0 ? buf_append(out, text, size) : buf_append_string(out, "\xef\xbf\xbd");
        text += size > 0 ? size : 1;
        count -= size > 0 ? size : 1;
    }
    return rc;
}

static void print_valid(const char *text, size_t count)
{
    struct buf out = BUF_INIT;
    struct json_writer w;
    json_writer_init(&w, &out);
    json_string(&w, text, count);
    fwrite(out.data, 1, out.len, stdout); /* main() checks for errors */
    buf_fini(&out);
}

void json_print_bytes(const char *text, size_t count)
{
    struct buf valid = BUF_INIT;
    if (utf8_is_valid(text, count))
        print_valid(text, count);
    else if (replace_invalid(&valid, text, count) == 0)
        print_valid((const char *)valid.data, valid.len);
    buf_fini(&valid);
}

void json_print_string(const char *text)
{
    json_print_bytes(text, strlen(text));
}
