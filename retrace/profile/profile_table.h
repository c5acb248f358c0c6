/* SPDX-License-Identifier: MIT
 * A line for each call, as apitrace prints it with --pcpu, --pgpu, --ppd, --pmem and --pframe-times.
 */
#ifndef PROFILE_TABLE_H
#define PROFILE_TABLE_H

#include "profile_options.h"
#include "profile_record.h"

#include <stdio.h>

/* options and text are borrowed. Returns NULL if there is no memory. */
struct profile_output *profile_table_open(const struct profile_options *options, FILE *text);

#endif
