/* SPDX-License-Identifier: MIT
 * Arrays that are unaligned, overlap, or are interleaved, in memory that is read-only, shared, or partly
 * unreadable; unaligned indices; data that changes after each draw; hundreds of attribute levels.
 *
 * lacks: Pointer\(.*pointer = 0x
 * pictures: 32 32
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"
#include "guarded.h"

#include <GL/gl.h>
#include <GL/glext.h>

static const GLfloat corners[] = {-1, -1, 1, -1, 0, 1};

static void draw_unaligned(void)
{
    static const GLushort indices[] = {0, 1, 2};
    uint8_t bytes[sizeof corners + 1], odd[sizeof indices + 1];
    memcpy(bytes + 1, corners, sizeof corners);
    memcpy(odd + 1, indices, sizeof indices);
    glColor3f(1, 0, 0);
    glVertexPointer(2, GL_FLOAT, 0, bytes + 1);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, odd + 1);
}

/* Each vertex begins within the previous one. */
static void draw_overlapping(void)
{
    static const GLfloat chain[] = {-1, 1, -1, 0.5f, 1};
    glColor3f(0, 1, 0);
    glVertexPointer(2, GL_FLOAT, 4, guarded_end(chain, sizeof chain));
    glDrawArrays(GL_LINE_STRIP, 0, 4);
}

static void draw_read_only(void)
{
    uint8_t *memory = guarded_map(GUARD);
    memcpy(memory + GUARD - sizeof corners, corners, sizeof corners);
    mprotect(memory, GUARD, PROT_READ);
    glColor3f(0, 0, 1);
    glVertexPointer(2, GL_FLOAT, 0, memory + GUARD - sizeof corners);
    glDrawArrays(GL_LINE_LOOP, 0, 3);
    munmap(memory, GUARD);
}

/* The same address is mapped, unmapped, and mapped again. */
static void draw_remapped(void)
{
    for (int i = 0; i < 8; ++i) {
        GLfloat *memory = mmap(NULL, GUARD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            exit(APP_STATUS_NO_DISPLAY);
        memcpy(memory, corners, sizeof corners);
        memory[1] = -1 + 0.2f * (float)i;
        glColor3f(1, 1, 0.1f * (float)i);
        glVertexPointer(2, GL_FLOAT, 0, memory);
        glDrawArrays(GL_LINES, 0, 2);
        munmap(memory, GUARD);
        glDrawArrays(GL_LINES, 0, 0);
    }
}

static void draw_changing(void)
{
    GLfloat line[4] = {-1, 0, 1, 0};
    glVertexPointer(2, GL_FLOAT, 0, line);
    for (int i = 0; i < 10; ++i) {
        line[1] = line[3] = -0.9f + 0.2f * (float)i;
        glColor3f(0, 0.1f * (float)i, 1);
        glDrawArrays(GL_LINES, 0, 2);
    }
    memset(line, 0x7f, sizeof line);
    glVertexPointer(2, GL_FLOAT, 0, guarded_gone());
}

static void push_and_pop(void)
{
    glVertexPointer(2, GL_FLOAT, 0, guarded_end(corners, sizeof corners));
    for (int i = 0; i < 300; ++i) {
        glPushClientAttrib(GL_CLIENT_VERTEX_ARRAY_BIT);
        glVertexPointer(4, GL_DOUBLE, 0, guarded_gone());
        if (i % 2 == 0)
            glDisableClientState(GL_VERTEX_ARRAY);
        glPopClientAttrib();
        if (i % 100 == 0)
            glDrawArrays(GL_POINTS, 0, 3);
    }
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    for (int frame = 0; frame < 2; ++frame) {
        glClear(GL_COLOR_BUFFER_BIT);
        glEnableClientState(GL_VERTEX_ARRAY);
        draw_unaligned();
        draw_overlapping();
        draw_read_only();
        draw_remapped();
        draw_changing();
        push_and_pop();
        glDisableClientState(GL_VERTEX_ARRAY);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        app_glx_present(&app, "frame", frame);
    }
    app_glx_close(&app);
    return 0;
}
