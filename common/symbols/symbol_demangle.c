/* SPDX-License-Identifier: MIT */
#include "symbols/symbol_demangle.h"

#include "base/buf.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>

#define NAME_SIZE_MAX 16384       /* bytes of a mangled name */
#define TEXT_SIZE_MAX (64u << 10) /* bytes of a demangled name */

/* What has been demangled. */
struct demangled_text {
    struct buf bytes;
    jmp_buf too_long;
};

/* A name of 200 bytes can stand for gigabytes, since each part may refer to former parts twice. The demangler
 * is left from here, as it has no other way to end early; it allocates nothing. */
static void add_text(const char *bytes, size_t size, void *context)
{
    struct demangled_text *text = context;
    if (size > TEXT_SIZE_MAX - text->bytes.len || buf_append(&text->bytes, bytes, size) != 0)
        longjmp(text->too_long, 1);
}

static bool demangle(const char *name, struct demangled_text *text)
{
    if (setjmp(text->too_long) != 0)
        return false;
    if (rust_demangle_callback(name, DMGL_PARAMS, add_text, text) != 0)
        return true;
    buf_clear(&text->bytes);
    return cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI, add_text, text) != 0;
}

char *symbol_demangle(const char *name)
{
    struct demangled_text text = {.bytes = BUF_INIT};
    if ((strncmp(name, "_Z", 2) != 0 && strncmp(name, "_R", 2) != 0) || strlen(name) > NAME_SIZE_MAX)
        return NULL;
    if (demangle(name, &text) && buf_append_byte(&text.bytes, 0) == 0)
        return (char *)text.bytes.data;
    buf_fini(&text.bytes);
    return NULL;
}
