/* SPDX-License-Identifier: MIT
 * A table of what the draws with each program (set of shaders) have cost, printed at the end of the replay.
 */
#ifndef PROFILE_PROGRAMS_H
#define PROFILE_PROGRAMS_H

#include "profile_record.h"

#include <stdio.h>

/* text is borrowed. Returns NULL if there is no memory. */
struct profile_output *profile_programs_open(FILE *text);

#endif
