/* SPDX-License-Identifier: MIT */
#include "profile/stack_page.h"

#include "base/error.h"
#include "base/utf8.h"
#include "shell/write_output.h"

#include <string.h>

extern const char flame_style[], flame_script[];

/* In a script, "<" may begin its end. JSON has it in strings only. */
static int write_data(struct buf *json)
{
    struct buf text = BUF_INIT;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < json->len; ++i)
        rc = json->data[i] == '<' ? buf_append_string(&text, "\\u003c")
                                  : buf_append_byte(&text, json->data[i]);
    rc = rc == 0 ? write_output(&text) : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    buf_fini(&text);
    buf_clear(json);
    return rc;
}

static int append_text(struct buf *out, const char *text)
{
    struct buf valid = BUF_INIT;
    int rc = utf8_append_repaired(&valid, text, strlen(text));
    for (size_t i = 0; rc == 0 && i < valid.len; ++i) {
        uint8_t c = valid.data[i];
        rc = c == '<' || c == '&' ? buf_printf(out, "&#%d;", c) : buf_append_byte(out, c);
    }
    buf_fini(&valid);
    return rc;
}

static int append_head(struct buf *out, const struct stack_json *s, const char *title)
{
    int rc = buf_append_string(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                                    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    rc |= append_text(out, title);
    rc |= buf_append_string(out, "</title>\n<style>\n");
    rc |= buf_append_string(out, flame_style);
    rc |= buf_printf(out, "</style></head>\n<body data-unit=\"%s\">\n<header><h1>",
                     s->per_second > 0 ? "s" : "ticks");
    rc |= append_text(out, title);
    rc |= buf_append_string(
        out,
        "</h1>\n<label>Thread <select id=\"thread\"><option value=\"\">all</option></select></label>\n"
        "<label>Width <select id=\"value\"><option>time</option><option>calls</option></select></label>\n"
        "<label>Search <input type=\"search\" id=\"search\" title=\"/\"></label> <output></output>\n"
        "<button type=\"button\" id=\"reset\" title=\"Esc\">Reset zoom</button></header>\n"
        "<main></main>\n<footer aria-live=\"polite\"></footer>\n"
        "<script type=\"application/json\" id=\"stacks\">\n");
    return rc == 0 ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

static int append_end(struct buf *out)
{
    int rc = buf_append_string(out, "</script>\n<script>\n");
    rc |= buf_append_string(out, flame_script);
    rc |= buf_append_string(out, "</script>\n</body></html>\n");
    return rc == 0 ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

int stack_page_print(const struct stack_json *stacks, const char *title)
{
    struct stack_json data = *stacks;
    struct buf text = BUF_INIT;
    data.write = write_data;
    int rc = append_head(&text, stacks, title);
    if (rc == 0)
        rc = write_output(&text);
    if (rc == 0)
        rc = stack_json_write(&data);
    if (rc == 0)
        rc = append_end(&text);
    if (rc == 0)
        rc = write_output(&text);
    buf_fini(&text);
    return rc;
}
