/* SPDX-License-Identifier: MIT
 * Cleans up when a signal (Ctrl-C, SIGTERM, SIGHUP, SIGPIPE, …) ends the program: removes unfinished files
 * and folders (base/new_file.h), and erases the progress line.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on, a signal removes what the guard of base/new_file.h was told of and is not complete. */
void interrupt_guard_files(void);

/* Sets whether there is a line on the terminal (stderr) that a signal should erase. */
void interrupt_erase_line(bool yes);

#endif
