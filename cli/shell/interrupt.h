/* SPDX-License-Identifier: MIT
 * What is cleared away when a signal (Ctrl-C, SIGTERM, SIGHUP) ends the program: unfinished files, and a line
 * that is to be erased.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* No signal is handled between the two, in the thread that calls. */
void interrupt_hold(sigset_t *before);
void interrupt_release(const sigset_t *before);

/* From now on the file is removed. To be called, from one thread, while signals are held; path is lent until
 * interrupt_forget_file(). */
void interrupt_add_file(const char *path);
void interrupt_forget_file(const char *path);

/* Is there something in the terminal's present line, on the standard error, that should not stay? */
void interrupt_erase_line(bool yes);

#endif
