/* SPDX-License-Identifier: MIT
 * Cleans up when a signal (Ctrl-C, SIGTERM, SIGHUP, SIGPIPE, …) ends the program: removes unfinished files
 * (base/new_file.h), and erases the progress line.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on, a signal removes whatever new_file_open() created and did not complete. */
void interrupt_guard_files(void);

/* Is there a line on the terminal, on the standard error, that a signal should erase? */
void interrupt_erase_line(bool yes);

#endif
