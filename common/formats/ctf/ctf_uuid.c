/* SPDX-License-Identifier: MIT */
#include "formats/ctf/ctf_uuid.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool has_dash_at(int place)
{
    return place == 8 || place == 13 || place == 18 || place == 23;
}

static int digit_of(char c)
{
    c = (char)tolower((unsigned char)c);
    return isdigit((unsigned char)c) ? c - '0' : c - 'a' + 10;
}

bool ctf_uuid_parse(const char *text, uint8_t out[16])
{
    int digits = 0;
    if (strlen(text) != CTF_UUID_TEXT - 1)
        return false;
    for (int i = 0; i < CTF_UUID_TEXT - 1; ++i) {
        if (has_dash_at(i) ? text[i] != '-' : !isxdigit((unsigned char)text[i]))
            return false;
        if (has_dash_at(i))
            continue;
        out[digits / 2] =
            (uint8_t)(digits % 2 == 0 ? digit_of(text[i]) << 4 : out[digits / 2] | digit_of(text[i]));
        ++digits;
    }
    return true;
}

void ctf_uuid_print(const uint8_t uuid[16], char out[CTF_UUID_TEXT])
{
    char *p = out;
    for (int i = 0; i < 16; ++i) {
        if (has_dash_at((int)(p - out)))
            *p++ = '-';
        p += snprintf(p, 3, "%02x", uuid[i]);
    }
}
