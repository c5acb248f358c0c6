/* SPDX-License-Identifier: MIT */
#include "process/function_names.h"

#include <string.h>

bool function_names_have(const char *patterns, const char *name)
{
    static const char separators[] = " \t\r\n,";
    for (;;) {
        patterns += strspn(patterns, separators);
        size_t size = strcspn(patterns, separators);
        if (size == 0)
            return false;
        bool begins = patterns[size - 1] == '*';
        if (patterns[0] != '#' && strncmp(patterns, name, size - begins) == 0 &&
            (begins || name[size] == '\0'))
            return true;
        patterns += size;
    }
}
