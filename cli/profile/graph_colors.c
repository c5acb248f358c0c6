/* SPDX-License-Identifier: MIT */
#include "profile/graph_colors.h"

#include <math.h>
#include <stdio.h>

static const unsigned char amounts[][3] = {{255, 247, 236}, {254, 232, 200}, {253, 212, 158},
                                           {253, 187, 132}, {252, 141, 89},  {239, 101, 72},
                                           {215, 48, 31},   {179, 0, 0},     {127, 0, 0}};
static const unsigned char changes[][3] = {{142, 1, 82},    {197, 27, 125},  {222, 119, 174}, {241, 182, 218},
                                           {253, 224, 239}, {247, 247, 247}, {230, 245, 208}, {184, 225, 134},
                                           {127, 188, 65},  {77, 146, 33},   {39, 100, 25}};

/* Hue in sixths of the circle, saturation and value from 0 to 1. */
struct hsv {
    double hue;
    double saturation;
    double value;
};

/* Programs that start fast do not load libm, in which fmax(), fmin() and fmod() are. */
static double most_of(double a, double b, double c)
{
    double most = a > b ? a : b;
    return most > c ? most : c;
}

static double least_of(double a, double b, double c)
{
    return -most_of(-a, -b, -c);
}

static struct hsv to_hsv(const unsigned char *rgb)
{
    double r = rgb[0] / 255.0, g = rgb[1] / 255.0, b = rgb[2] / 255.0;
    double most = most_of(r, g, b), range = most - least_of(r, g, b);
    struct hsv out = {.value = most, .saturation = most > 0 ? range / most : 0};
    if (range == 0)
        return out;
    if (most == r)
        out.hue = (g - b) / range;
    else
        out.hue = most == g ? (b - r) / range + 2 : (r - g) / range + 4;
    if (out.hue < 0)
        out.hue += 6;
    return out;
}

/* The rest of x / n, as fmod() has it; x is not large. */
static double rest_of(double x, double n)
{
    return x - n * (double)(long)(x / n);
}

static unsigned to_byte(double part)
{
    return (unsigned)(255 * part + 0.5);
}

static struct graph_color to_color(struct hsv c)
{
    static const unsigned char places[6][3] = {{0, 1, 2}, {1, 0, 2}, {2, 0, 1},
                                               {2, 1, 0}, {1, 2, 0}, {0, 2, 1}};
    double range = c.value * c.saturation, low = c.value - range;
    unsigned sixth = (unsigned)c.hue % 6;
    /* The largest, the middle and the smallest of the three parts. */
    const double parts[3] = {c.value, range * (1 - fabs(rest_of(c.hue, 2) - 1)) + low, low};
    struct graph_color out;
    snprintf(out.text, sizeof out.text, "#%02X%02X%02X", to_byte(parts[places[sixth][0]]),
             to_byte(parts[places[sixth][1]]), to_byte(parts[places[sixth][2]]));
    return out;
}

/* Hues take the shorter way around the circle. */
static struct graph_color between(const unsigned char *from, const unsigned char *to, double part)
{
    struct hsv a = to_hsv(from), b = to_hsv(to);
    if (b.hue - a.hue > 3)
        a.hue += 6;
    else if (a.hue - b.hue > 3)
        b.hue += 6;
    const struct hsv mixed = {.hue = rest_of(a.hue + (b.hue - a.hue) * part, 6),
                              .saturation = a.saturation + (b.saturation - a.saturation) * part,
                              .value = a.value + (b.value - a.value) * part};
    return to_color(mixed);
}

/* offset: from 0 to width, over all colours of the scale. What is not a number is at its beginning. */
static struct graph_color on_scale(const unsigned char (*scale)[3], unsigned steps, double offset,
                                   double width)
{
    double step = width / steps;
    offset = !(offset > 0) ? 0 : offset < width ? offset : width;
    unsigned i = (unsigned)(offset / step);
    if (i >= steps)
        return between(scale[steps], scale[steps], 0);
    return between(scale[i], scale[i + 1], (offset - i * step) / step);
}

struct graph_color graph_color_of_amount(double amount)
{
    return on_scale(amounts, sizeof amounts / sizeof *amounts - 1, amount, 1);
}

struct graph_color graph_color_of_change(double change)
{
    return on_scale(changes, sizeof changes / sizeof *changes - 1, change + 1, 2);
}
