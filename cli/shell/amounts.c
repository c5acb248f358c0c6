/* SPDX-License-Identifier: MIT */
#include "shell/amounts.h"

#include <stdio.h>

void amount_of_bytes(char *out, size_t size, double bytes)
{
    static const char *const units[] = {"kB", "MB", "GB"};
    unsigned i = 0;
    for (bytes /= 1000; bytes >= 1000 && i < 2; ++i)
        bytes /= 1000;
    snprintf(out, size, bytes < 10 ? "%.1f %s" : "%.0f %s", bytes, units[i]);
}

void amount_of_calls(char *out, size_t size, double calls)
{
    static const char *const units[] = {"", "k ", "M ", "G "};
    unsigned i = 0;
    for (; calls >= 1000 && i < 3; ++i)
        calls /= 1000;
    snprintf(out, size, calls < 10 && i > 0 ? "%.1f %scalls" : "%.0f %scalls", calls, units[i]);
}
