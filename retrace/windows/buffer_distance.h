/* SPDX-License-Identifier: MIT
 * Compares the buffers of a configuration with those that are wanted.
 */
#ifndef RETRACE_BUFFER_DISTANCE_H
#define RETRACE_BUFFER_DISTANCE_H

#include "windows/window_system.h"

/* Returns how far a configuration is from what is wanted; 0: it is just that. A bit too few is worse than any
 * number of bits too many. A back buffer, stereo or floating point that is missing, or not wanted, is worse
 * than any number of bits. has->deepest is ignored. */
int buffer_distance(const struct buffer_config *has, const struct buffer_config *wanted);

/* Returns whether both configurations have the same buffers. `deepest` is not one of their properties. */
bool buffers_are_equal(const struct buffer_config *a, const struct buffer_config *b);

#endif
