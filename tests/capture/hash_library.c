/* SPDX-License-Identifier: MIT
 * For test_elf_objects.c: a library with symbols of each kind.
 */
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT extern int a_variable[8];
EXPORT int answer(int value);
EXPORT int other_1(void);
EXPORT int other_2(void);
EXPORT int other_3(void);
EXPORT int other_4(void);
EXPORT extern int *fourth;
int not_for_others(void);

int a_variable[8];
int *fourth = &a_variable[3];

int answer(int value)
{
    int (*volatile function)(int) = abs; /* no built-in one */
    return function(value);
}

__attribute__((visibility("hidden"))) int not_for_others(void)
{
    return 0;
}

int other_1(void)
{
    return 1;
}

int other_2(void)
{
    return 2;
}

int other_3(void)
{
    return 3;
}

int other_4(void)
{
    return not_for_others() + 4;
}
