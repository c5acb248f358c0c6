/* SPDX-License-Identifier: MIT
 * trace-cli trace --api=xray: runs a program that was built with clang's -fxray-instrument, and writes XRay
 * logs.
 */
#ifndef CLI_XRAY_CAPTURE_H
#define CLI_XRAY_CAPTURE_H

#include <stdbool.h>

enum xray_capture_mode {
    XRAY_CAPTURE_ANY,   /* FDR, unless the program only allows the other one */
    XRAY_CAPTURE_FDR,   /* recorded by our library */
    XRAY_CAPTURE_BASIC, /* recorded by the runtime, which the environment tells to */
};

struct xray_capture_options {
    const char *output; /* NULL: named after the program */
    const char *stamp;  /* in the name; NULL: none */
    enum xray_capture_mode mode;
    long threshold; /* microseconds; shorter calls are left out */
    bool verbose, debug;
};

/* Runs the program. Returns its exit status, or 1 instead of 0 if something is missing from the logs. */
int xray_capture_run(const struct xray_capture_options *o, char **argv);

#endif
