/* SPDX-License-Identifier: MIT
 * Enums that are passed as floats and doubles, as by old programs, are recorded by name. Numbers stay
 * numbers, even those that look like an enum, or for which there is no name.
 *
 * expect: glTexEnvf\(target = GL_TEXTURE_ENV, pname = GL_TEXTURE_ENV_MODE, param = GL_DECAL\)
 * expect: glTexEnvf\(target = GL_TEXTURE_ENV, pname = GL_RGB_SCALE, param = 4\)
 * expect: glTexParameterf\(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, param = GL_NEAREST\)
 * expect: glTexParameterf\(target = GL_TEXTURE_2D, pname = GL_TEXTURE_COMPARE_MODE, param = GL_NONE\)
 * expect: glTexParameterf\(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, param = 9728\.5\)
 * expect: glTexParameterf\(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, param = -1\)
 * expect: glTexParameterf\(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, param = 1e\+20\)
 * expect: glTexParameterf\(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, param = -?nan\)
 * expect: glTexParameterf\(target = GL_TEXTURE_2D, pname = GL_TEXTURE_PRIORITY, param = 1\)
 * expect: glFogf\(pname = GL_FOG_MODE, param = GL_LINEAR\)
 * expect: glFogf\(pname = GL_FOG_END, param = 2\)
 * expect: glLightModelf\(pname = GL_LIGHT_MODEL_COLOR_CONTROL, param = GL_SEPARATE_SPECULAR_COLOR\)
 * expect: glTexGenf\(coord = GL_T, pname = GL_TEXTURE_GEN_MODE, param = GL_EYE_LINEAR\)
 * expect: glTexGend\(coord = GL_S, pname = GL_TEXTURE_GEN_MODE, param = GL_OBJECT_LINEAR\)
 * expect: glPointParameterf\(pname = GL_POINT_SPRITE_COORD_ORIGIN, param = GL_LOWER_LEFT\)
 * pictures: 32 32
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <math.h>

static void set_up_texture(void)
{
    static const GLubyte texels[] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_PRIORITY, 1);
    glTexEnvf(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_DECAL);
    glTexEnvf(GL_TEXTURE_ENV, GL_RGB_SCALE, 4);
    glTexGend(GL_S, GL_TEXTURE_GEN_MODE, GL_OBJECT_LINEAR);
    glTexGenf(GL_T, GL_TEXTURE_GEN_MODE, GL_EYE_LINEAR);
    glEnable(GL_TEXTURE_GEN_S);
    glEnable(GL_TEXTURE_GEN_T);
    glEnable(GL_TEXTURE_2D);
}

/* These are errors, except for the first one, which GL rounds. */
static void set_wrong_filters(void)
{
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, 9728.5f);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, -1);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, 1e20f);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, NAN);
    while (glGetError() != GL_NO_ERROR)
        ;
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
}

int main(void)
{
    static const GLfloat white[] = {1, 1, 1, 1};
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    set_up_texture();
    set_wrong_filters();
    glFogf(GL_FOG_MODE, GL_LINEAR);
    glFogf(GL_FOG_END, 2);
    glFogfv(GL_FOG_COLOR, white);
    glEnable(GL_FOG);
    glLightModelf(GL_LIGHT_MODEL_COLOR_CONTROL, GL_SEPARATE_SPECULAR_COLOR);
    glPointParameterf(GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT);
    for (int frame = 0; frame < 2; ++frame) {
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glBegin(GL_TRIANGLES);
        glVertex3f(-1, -1, 0.5f);
        glVertex3f(1, -1, 0.5f);
        glVertex3f(0, 1, -0.5f);
        glEnd();
        app_glx_present(&app, "named", frame);
    }
    app_glx_close(&app);
    return 0;
}
