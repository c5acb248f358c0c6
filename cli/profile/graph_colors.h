/* SPDX-License-Identifier: MIT
 * Colours for numbers, on the scales OrRd and PiYG of ColorBrewer.
 */
#ifndef CLI_GRAPH_COLORS_H
#define CLI_GRAPH_COLORS_H

struct graph_color {
    char text[8]; /* "#RRGGBB" */
};

/* From pale orange (0) to dark red (1). */
struct graph_color graph_color_of_amount(double amount);

/* From magenta (-1: less) over white (0) to green (1: more). */
struct graph_color graph_color_of_change(double change);

#endif
