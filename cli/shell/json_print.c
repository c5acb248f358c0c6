/* SPDX-License-Identifier: MIT */
#include "shell/json_print.h"

#include "base/json_writer.h"

#include <stdio.h>

void json_print_bytes(const char *text, size_t count)
{
    struct buf out = BUF_INIT;
    struct json_writer w;
    json_writer_init(&w, &out);
    json_string(&w, text, count);
    fwrite(out.data, 1, out.len, stdout); /* main() looks for errors */
    buf_fini(&out);
}

void json_print_string(const char *text)
{
    json_print_bytes(text, strlen(text));
}
