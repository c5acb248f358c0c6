/* SPDX-License-Identifier: MIT
 * Reads files of expectations, one on each line.
 */
#ifndef EXPECTATIONS_H
#define EXPECTATIONS_H

/* Calls check for each line of the file, except empty ones and those that begin with #. The line has no line
 * break, and may be modified. number: the line number, from 1. If the file cannot be read, the test fails. */
void read_expectations(const char *path, void (*check)(char *line, unsigned number));

#endif
