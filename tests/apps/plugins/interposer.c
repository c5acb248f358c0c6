/* SPDX-License-Identifier: MIT
 * Another preloaded library. It counts the calls that go through it, and forwards them.
 */
#include <dlfcn.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

typedef void (*clear_function)(unsigned mask);

static int clears;

EXPORT void glClear(unsigned mask);

void glClear(unsigned mask)
{
    static clear_function next;
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "glClear");
    clears++;
    next(mask);
}

__attribute__((destructor)) static void tell(void)
{
    if (clears > 0)
        printf("%d glClear went through\n", clears);
}
