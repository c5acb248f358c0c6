/* SPDX-License-Identifier: MIT */
/* Creates objects of every kind and deletes some of them. Prints what it does not delete, a line "KIND NAME"
 * each; what goes with a context that it destroys has "freed " in front. */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 4 }; /* number of objects of a kind */

typedef void (*generate_function)(GLsizei n, GLuint *names);
typedef void (*delete_function)(GLsizei n, const GLuint *names);

static void generate_transform_feedbacks(GLsizei n, GLuint *names)
{
    glCreateTransformFeedbacks(n, names);
}

static const struct kind {
    const char *name;
    generate_function generate;
    delete_function delete;
} kinds[] = {
    {"texture", glGenTextures, glDeleteTextures},
    {"buffer", glGenBuffers, glDeleteBuffers},
    {"renderbuffer", glGenRenderbuffers, glDeleteRenderbuffers},
    {"sampler", glGenSamplers, glDeleteSamplers},
    {"programARB", glGenProgramsARB, glDeleteProgramsARB},
    {"framebuffer", glGenFramebuffers, glDeleteFramebuffers},
    {"vertex_array", glGenVertexArrays, glDeleteVertexArrays},
    {"query", glGenQueries, glDeleteQueries},
    {"program_pipeline", glGenProgramPipelines, glDeleteProgramPipelines},
    {"transform_feedback", generate_transform_feedbacks, glDeleteTransformFeedbacks},
};

static void leak(const char *how, const char *kind, GLuint name)
{
    printf("%s%s %u\n", how, kind, name);
}

/* Of each kind, `kept` objects remain. */
static void use_kinds(const char *how, size_t first, size_t end, int kept)
{
    for (size_t k = first; k < end; k++) {
        GLuint names[COUNT];
        kinds[k].generate(COUNT, names);
        kinds[k].delete(COUNT - kept, names);
        kinds[k].delete(1, &(GLuint){0});
        for (int i = COUNT - kept; i < COUNT; i++)
            leak(how, kinds[k].name, names[i]);
    }
}

static void use_programs(void)
{
    GLuint shaders[] = {glCreateShader(GL_VERTEX_SHADER), glCreateShader(GL_FRAGMENT_SHADER),
                        glCreateShader(GL_VERTEX_SHADER)};
    GLuint programs[] = {glCreateProgram(), glCreateProgram()};
    glAttachShader(programs[1], shaders[0]);
    glDeleteShader(shaders[0]); /* exists as long as it is attached, and is not a leak of its own */
    glDeleteShader(shaders[1]);
    glDeleteProgram(programs[0]);
    leak("", "shader", shaders[2]);
    leak("", "program", programs[1]);
}

/* Makes objects that are not created in arrays of names. */
static void use_others(void)
{
    GLsync syncs[] = {glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0),
                      glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)};
    glDeleteSync(syncs[0]);
    printf("sync 0x%" PRIxPTR "\n", (uintptr_t)syncs[1]);
    GLuint lists = glGenLists(5), unnamed = lists + 100;
    glDeleteLists(lists + 1, 3);
    leak("", "display_list", lists);
    leak("", "display_list", lists + 4);
    glNewList(unnamed, GL_COMPILE);
    glEndList();
    leak("", "display_list", unnamed);
    glBindTexture(GL_TEXTURE_2D, 4000); /* creates it */
    glBindTexture(GL_TEXTURE_2D, 4001);
    glDeleteTextures(1, &(GLuint){4001});
    leak("", "texture", 4000);
}

static GLXFBConfig choose_config(Display *display)
{
    const int attributes[] = {GLX_DRAWABLE_TYPE, GLX_PBUFFER_BIT, GLX_RENDER_TYPE, GLX_RGBA_BIT, None};
    int count = 0;
    GLXFBConfig *configs = glXChooseFBConfig(display, DefaultScreen(display), attributes, &count);
    if (configs == NULL || count == 0)
        exit(APP_STATUS_NO_DISPLAY);
    GLXFBConfig config = configs[0];
    XFree(configs);
    return config;
}

int main(void)
{
    struct app_glx app;
    const int size[] = {GLX_PBUFFER_WIDTH, 8, GLX_PBUFFER_HEIGHT, 8, None};
    const size_t shared = 5, all = sizeof kinds / sizeof *kinds;
    app_glx_open(&app, 32, 32);
    GLXFBConfig config = choose_config(app.display);
    GLXPbuffer pbuffers[] = {glXCreatePbuffer(app.display, config, size),
                             glXCreatePbuffer(app.display, config, size)};
    GLXContext sharing = glXCreateNewContext(app.display, config, GLX_RGBA_TYPE, app.context, True);
    GLXContext alone = glXCreateNewContext(app.display, config, GLX_RGBA_TYPE, NULL, True);
    use_kinds("", 0, all, 2);
    use_programs();
    use_others();
    glXMakeContextCurrent(app.display, pbuffers[0], pbuffers[0], sharing);
    use_kinds("", 0, shared, 1); /* they remain with the group */
    use_kinds("freed ", shared, all, 1);
    glXMakeContextCurrent(app.display, pbuffers[0], pbuffers[0], alone);
    use_kinds("freed ", shared, all, 3);
    glXDestroyContext(app.display, sharing);
    glXDestroyContext(app.display, alone);
    glXMakeCurrent(app.display, app.window, app.context); /* the last context ends only now */
    glXDestroyPbuffer(app.display, pbuffers[0]);
    printf("drawable %lu\ncontext 0x%" PRIxPTR "\n", pbuffers[1], (uintptr_t)app.context);
    return glGetError() != GL_NO_ERROR;
}
