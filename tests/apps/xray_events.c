/* SPDX-License-Identifier: MIT
 * Writes custom and typed events of XRay, and has calls that take some time and others that do not. For
 * tests/e2e, which builds it with clang.
 */
#include <stdio.h>
#include <time.h>

#define TRACED __attribute__((noinline, xray_always_instrument))

TRACED static void write_events(int number)
{
    char text[32];
    size_t size = (size_t)snprintf(text, sizeof text, "event %d", number);
    __xray_customevent(text, size);
    __xray_typedevent(7, text, size);
}

TRACED static int be_quick(int number)
{
    static volatile int calls;
    calls++;
    return number + 1;
}

TRACED static void be_slow(void)
{
    nanosleep(&(const struct timespec){.tv_nsec = 3000000}, NULL);
    be_quick(1);
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 50; ++i)
        write_events(i);
    for (int i = 0; i < 1000; ++i)
        sum += be_quick(i);
    be_slow();
    printf("%d\n", sum);
    return 3;
}
