/* SPDX-License-Identifier: MIT
 * Files of expectations, one a line.
 */
#ifndef EXPECTATIONS_H
#define EXPECTATIONS_H

/* Calls check for each line of the file but empty ones and those that begin with #; the line has no newline,
 * and may be cut up. Numbers count from 1. A file that cannot be read fails the test. */
void read_expectations(const char *path, void (*check)(char *line, unsigned number));

#endif
