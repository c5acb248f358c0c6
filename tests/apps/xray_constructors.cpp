/* SPDX-License-Identifier: MIT
 * Calls functions before main() and after it. For tests/e2e, which builds it with clang.
 */
#include <cstdlib>

#define TRACED __attribute__((noinline, xray_always_instrument))

namespace
{
volatile int calls;

struct global {
    TRACED global()
    {
        ++calls;
    }
    TRACED ~global()
    {
        ++calls;
    }
};

global first, second;

TRACED void at_exit()
{
    ++calls;
}
} // namespace

int main()
{
    std::atexit(at_exit);
    return 4;
}
