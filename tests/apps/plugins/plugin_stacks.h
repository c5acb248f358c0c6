/* SPDX-License-Identifier: MIT
 * A library whose function calls back from a function with its own name. Two such libraries have the same
 * size, so that the second is loaded where the first was.
 */
#ifndef PLUGIN_STACKS_H
#define PLUGIN_STACKS_H

#define PLUGIN_STACKS(inner)                                                                                 \
    __attribute__((noinline)) static void inner(void (*draw)(float width), float width)                      \
    {                                                                                                        \
        draw(width);                                                                                         \
        __asm__ volatile("");                                                                                \
    }                                                                                                        \
    __attribute__((visibility("default"))) void run(void (*draw)(float width), float width);                 \
    void run(void (*draw)(float width), float width)                                                         \
    {                                                                                                        \
        inner(draw, width);                                                                                  \
        __asm__ volatile("");                                                                                \
    }

#endif
