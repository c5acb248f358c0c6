/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_SQUARES_H
#define SYMBOLS_SQUARES_H
static inline int squared(int x)
{
    return x * x;
}
static inline int sum_of_squares(int a, int b)
{
    int s = squared(a);
    s += squared(b);
    return s;
}
#endif
