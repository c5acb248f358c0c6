/* SPDX-License-Identifier: MIT */
#include "formats/lines/csv_field.h"

#include "base/error.h"
#include "base/format_number.h"
#include "base/utf8.h"

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- text ------------------------------------------------------------------------------------------ */

static bool needs_quotes(const char *text, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (text[i] == '"' || text[i] == ',' || text[i] == '\n' || text[i] == '\r')
            return true;
    return false;
}

static int add_quoted(struct buf *line, const char *text, size_t count)
{
    if (buf_reserve(line, 2 * count + 2) != 0)
        return no_memory();
    uint8_t *p = line->data + line->len;
    *p++ = '"';
    for (size_t i = 0; i < count; ++i) {
        if (text[i] == '"')
            *p++ = '"';
        *p++ = (uint8_t)text[i];
    }
    *p++ = '"';
    line->len = (size_t)(p - line->data);
    return 0;
}

static int add_repaired(struct buf *line, const char *text, size_t count)
{
    struct buf repaired = BUF_INIT;
    int rc = utf8_append_repaired(&repaired, text, count) == 0
                 ? add_quoted(line, (const char *)repaired.data, repaired.len)
                 : no_memory();
    buf_fini(&repaired);
    return rc;
}

static int begin(struct buf *line)
{
    return buf_append_byte(line, ',') == 0 ? 0 : no_memory();
}

int csv_field_add_text(struct buf *line, const char *text, size_t count)
{
    int rc = begin(line);
    if (rc != 0)
        return rc;
    if (!utf8_is_valid(text, count))
        return add_repaired(line, text, count);
    if (needs_quotes(text, count))
        return add_quoted(line, text, count);
    return buf_append(line, text, count) == 0 ? 0 : no_memory();
}

/* --- numbers --------------------------------------------------------------------------------------- */

int csv_field_add_uint(struct buf *line, uint64_t value, bool is_known)
{
    if (begin(line) != 0 || buf_reserve(line, FORMAT_INT_BYTES) != 0)
        return no_memory();
    if (is_known)
        line->len += format_uint((char *)line->data + line->len, value);
    return 0;
}

int csv_field_add_sint(struct buf *line, int64_t value, bool is_known)
{
    if (begin(line) != 0 || buf_reserve(line, FORMAT_INT_BYTES) != 0)
        return no_memory();
    if (is_known)
        line->len += format_sint((char *)line->data + line->len, value);
    return 0;
}

int csv_field_add_address(struct buf *line, uint64_t value, bool is_known)
{
    if (begin(line) != 0 || buf_reserve(line, FORMAT_HEX_BYTES + 2) != 0)
        return no_memory();
    if (is_known) {
        memcpy(line->data + line->len, "0x", 2);
        line->len += 2 + format_hex((char *)line->data + line->len + 2, value);
    }
    return 0;
}
