/* SPDX-License-Identifier: MIT
 * Drawables that do not exist, or no longer: the program's handler of X errors gets those of its own calls.
 *
 * count: 7 glXMakeC
 */
#include "app_glx.h"

#include <GL/gl.h>
#include <stdio.h>

static int print_error(Display *display, XErrorEvent *e)
{
    (void)display;
    printf("error %d of request %d\n", e->error_code, e->minor_code);
    return 0;
}

static void bind(struct app_glx *app, GLXDrawable drawable)
{
    Bool bound = glXMakeCurrent(app->display, drawable, app->context);
    glClear(GL_COLOR_BUFFER_BIT);
    XSync(app->display, False);
    printf("bound: %d\n", bound);
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    XSetErrorHandler(print_error);
    Window plain = XCreateSimpleWindow(app.display, app.window, 0, 0, 8, 8, 0, 0, 0);
    bind(&app, 0x7777777);
    bind(&app, app.window);
    bind(&app, plain);
    XDestroyWindow(app.display, plain);
    bind(&app, plain);
    bind(&app, app.window);
    app_glx_close(&app);
    return 0;
}
