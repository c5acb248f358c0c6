/* SPDX-License-Identifier: MIT
 * Cleans up when a signal (Ctrl-C, SIGTERM, SIGHUP) ends the program: removes unfinished files, and erases
 * the progress line.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* Between these two calls, the calling thread handles no signals. */
void interrupt_hold(sigset_t *before);
void interrupt_release(const sigset_t *before);

/* From now on, a signal removes the file. Call this from one thread only, while signals are held. path is
 * lent until interrupt_forget_file(). */
void interrupt_add_file(const char *path);
void interrupt_forget_file(const char *path);

/* Is there a line on the terminal, on the standard error, that a signal should erase? */
void interrupt_erase_line(bool yes);

#endif
