/* SPDX-License-Identifier: MIT
 * A GLX window with a current context, for test programs that link libGL. Any failure is printed on stderr
 * and ends the program with status 99, so that no test takes it for a result.
 */
#ifndef APP_GLX_H
#define APP_GLX_H

#include <GL/glx.h>
#include <stdint.h>

enum { APP_STATUS_NO_DISPLAY = 99 };

struct app_glx {
    Display *display;
    Window window;
    GLXContext context;
    int width, height;
};

/* Opens a mapped window of width x height pixels with an RGBA, double-buffered, depth-buffered visual. */
void app_glx_open(struct app_glx *app, int width, int height);

/* Waits for the frame, prints "NAME FRAME: CHECKSUM" for the back buffer's pixels, and swaps. */
void app_glx_present(struct app_glx *app, const char *name, int frame);

void app_glx_close(struct app_glx *app);

/* Returns the checksum of the lower left width x height pixels of the current read buffer. */
uint64_t app_hash_pixels(int width, int height);

#endif
