/* SPDX-License-Identifier: MIT
 * A random number generator (xorshift) that yields the same numbers in each run of a test.
 */
#ifndef TESTS_NEXT_RANDOM_H
#define TESTS_NEXT_RANDOM_H

#include <stdint.h>

static inline uint64_t next_random(void)
{
    static uint64_t s = UINT64_C(88172645463325252);
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return s;
}

#endif
