/* SPDX-License-Identifier: MIT */
#include "base/processors.h"

#include <sched.h>
#include <unistd.h>

unsigned processor_count(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN); /* more than a cpu_set_t can hold */
    return online > 0 ? (unsigned)online : 1;
}
