/* SPDX-License-Identifier: MIT
 * Errors of X. Xlib's own handlers end the process at the first error.
 */
#ifndef RETRACE_X11_ERRORS_H
#define RETRACE_X11_ERRORS_H

#include <X11/Xlib.h>
#include <stdbool.h>

/* From now on, an error is a warning, once for each kind of error. If the connection is lost, the process
 * ends with a message and status 1, and not by SIGPIPE: Xlib cannot go on. */
void x11_errors_catch(Display *display);

/* Ends the process in this way if the connection is lost. Xlib learns that when it sends something, but what
 * EGL sends goes past it. */
void x11_errors_check_connection(void);

/* Ends the process in this way. Does nothing if there was no x11_errors_catch(). */
void x11_errors_end_lost(void);

/* From here to x11_errors_end(), errors are kept instead: what is tried may fail. Only one thread at a time
 * may do so. */
void x11_errors_begin(Display *display);

/* Returns true if there was an error. The requests so far have been executed. */
bool x11_errors_end(Display *display);

#endif
