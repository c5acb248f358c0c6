/* SPDX-License-Identifier: MIT */
/* Immediate mode and a display list: a triangle that turns for three frames over a quad compiled once. */
#include "app_glx.h"

#include <GL/gl.h>
#include <stdio.h>

enum { WIDTH = 160, HEIGHT = 120, FRAMES = 3 };

static GLuint compile_quad(void)
{
    GLuint list = glGenLists(1);
    glNewList(list, GL_COMPILE);
    glBegin(GL_QUADS);
    glColor3ub(40, 40, 120);
    glVertex2i(-1, -1);
    glVertex2i(1, -1);
    glColor3ub(120, 120, 40);
    glVertex2i(1, 1);
    glVertex2i(-1, 1);
    glEnd();
    glEndList();
    return list;
}

static void draw_triangle(int frame)
{
    glPushMatrix();
    glRotatef(30.0f * (float)frame, 0.0f, 0.0f, 1.0f);
    glBegin(GL_TRIANGLES);
    glColor3f(1.0f, 0.0f, 0.0f);
    glVertex3f(0.0f, 0.75f, 0.0f);
    glColor3f(0.0f, 1.0f, 0.0f);
    glVertex3f(-0.5f, -0.5f, 0.0f);
    glColor3f(0.0f, 0.0f, 1.0f);
    glVertex3f(0.5f, -0.5f, 0.0f);
    glEnd();
    glPopMatrix();
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, WIDTH, HEIGHT);
    GLuint list = compile_quad();
    for (int frame = 0; frame < FRAMES; frame++) {
        glClearColor(0.25f, 0.5f, 0.75f, 1.0f);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glCallList(list);
        draw_triangle(frame);
        app_glx_present(&app, "glx_triangle", frame);
    }
    glDeleteLists(list, 1);
    app_glx_close(&app);
    fprintf(stderr, "glx_triangle: done\n");
    return 0;
}
