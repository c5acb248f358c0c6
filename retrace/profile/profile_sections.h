/* SPDX-License-Identifier: MIT
 * Tables of selected metrics, one each for frames, calls and draws, printed at the end of the replay as
 * apitrace prints those of --pframes, --pcalls and --pdrawcalls.
 */
#ifndef PROFILE_SECTIONS_H
#define PROFILE_SECTIONS_H

#include "profile_options.h"
#include "profile_record.h"

#include <stdio.h>

/* options and text are borrowed. Returns NULL if there is no memory. */
struct profile_output *profile_sections_open(const struct profile_options *options, FILE *text);

#endif
