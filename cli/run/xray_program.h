/* SPDX-License-Identifier: MIT
 * What a program's file says about its instrumentation for XRay.
 */
#ifndef CLI_XRAY_PROGRAM_H
#define CLI_XRAY_PROGRAM_H

enum xray_program {
    XRAY_PROGRAM_UNKNOWN,      /* a script, for example: what it runs may be instrumented */
    XRAY_PROGRAM_PLAIN,        /* not instrumented */
    XRAY_PROGRAM_INSTRUMENTED, /* a preloaded library finds XRay's runtime in it */
    XRAY_PROGRAM_STRIPPED,     /* instrumented, but without symbols */
    XRAY_PROGRAM_STATIC,       /* instrumented, but no library can be preloaded */
};

/* program: as the user gave it; it is searched for in PATH, as by execvp(). */
enum xray_program xray_program_examine(const char *program);

#endif
