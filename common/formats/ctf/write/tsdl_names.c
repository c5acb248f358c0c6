/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/tsdl_print.h"

#include "base/error.h"

#include <ctype.h>
#include <stdbool.h>

static bool is_word(const char *name)
{
    static const char *const words[] = {
        "align",   "callsite", "const",          "char",    "clock",  "double",   "enum",
        "env",     "event",    "float",          "integer", "int",    "long",     "short",
        "signed",  "stream",   "floating_point", "string",  "struct", "trace",    "typealias",
        "typedef", "unsigned", "variant",        "void",    "_Bool",  "_Complex", "_Imaginary"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (strcmp(name, words[i]) == 0)
            return true;
    return false;
}

bool tsdl_is_name(const char *name)
{
    bool is_good = name[0] != '\0' && !isdigit((unsigned char)name[0]) && !is_word(name);
    for (const char *c = name; is_good && *c != '\0'; ++c)
        is_good = isascii(*c) && (isalnum((unsigned char)*c) || *c == '_');
    return is_good;
}

int tsdl_write_variable(struct ctf_trace *t, const char *name, const char **out)
{
    int rc = tsdl_write_name(t, name, out);
    if (rc == 0 && !is_word(name) && !isdigit((unsigned char)name[0]) && name[0] != '\0')
        ++*out;
    return rc;
}

/* An underscore before each name keeps it from being a word of the language. Readers remove it. */
int tsdl_write_name(struct ctf_trace *t, const char *name, const char **out)
{
    size_t length = strlen(name);
    char *written = arena_alloc(&t->arena, length + 2);
    if (written == NULL)
        return TRACE_ERR_MEMORY;
    written[0] = '_';
    for (size_t i = 0; i <= length; ++i)
        written[i + 1] =
            name[i] == '\0' || (isalnum((unsigned char)name[i]) && isascii(name[i])) ? name[i] : '_';
    *out = written;
    return 0;
}
