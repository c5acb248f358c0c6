/* SPDX-License-Identifier: MIT
 * Makes events for LTTng: write_lttng ticks NUMBER hits a tracepoint so often; write_lttng calls NUMBER makes
 * so many calls of functions, which liblttng-ust-cyg-profile-fast.so records.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_tick.h"

#include <stdlib.h>
#include <string.h>

static void tick(long count)
{
    for (long i = 0; i < count; ++i)
        lttng_ust_tracepoint(bench, tick, (int)i, i % 3 == 0 ? "leaf" : "node of the tree");
}

static volatile long sum;

__attribute__((noinline)) static void leaf(long i)
{
    sum = sum + i;
}

__attribute__((noinline)) static void node(long i) /* three calls, so six events */
{
    leaf(i);
    leaf(i + 1);
}

static void call(long count)
{
    for (long i = 0; i < count / 3; ++i)
        node(i);
}

int main(int argc, char **argv)
{
    long count = argc == 3 ? atol(argv[2]) : 0;
    if (count <= 0)
        return 2;
    if (strcmp(argv[1], "calls") == 0)
        call(count);
    else
        tick(count);
    return 0;
}
