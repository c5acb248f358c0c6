/* SPDX-License-Identifier: MIT */
/* Prints what a context says of itself, and what becomes of calls that not every driver has. The context
 * comes from EGL, without a display server. usage: gl_queries compat|core|es1|es2|es3 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTIFY_EXPLICIT = (int)0x80000000U };

#define FUNCTION(type, name)                                                                                 \
    type name = (type)eglGetProcAddress(#name);                                                              \
    if (name == NULL)                                                                                        \
    printf("no " #name "\n")

static const char *const offered[] = {"GL_GREMEDY_string_marker",
                                      "GL_GREMEDY_frame_terminator",
                                      "GL_ARB_debug_output",
                                      "GL_AMD_debug_output",
                                      "GL_KHR_debug",
                                      "GL_EXT_debug_marker",
                                      "GL_EXT_debug_label",
                                      "GL_VMWX_map_buffer_debug"};

static int has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    int count = 0;
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
        count += (at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0');
    return count;
}

static int make_context(const char *kind)
{
    int desktop = strcmp(kind, "compat") == 0 || strcmp(kind, "core") == 0;
    const EGLint config_attributes[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                        desktop                    ? EGL_OPENGL_BIT
                                        : strcmp(kind, "es1") == 0 ? EGL_OPENGL_ES_BIT
                                                                   : EGL_OPENGL_ES2_BIT,
                                        EGL_NONE};
    const EGLint core[] = {EGL_CONTEXT_MAJOR_VERSION,
                           3,
                           EGL_CONTEXT_MINOR_VERSION,
                           3,
                           EGL_CONTEXT_OPENGL_PROFILE_MASK,
                           1,
                           EGL_NONE};
    const EGLint es[] = {EGL_CONTEXT_CLIENT_VERSION, desktop ? 0 : kind[2] - '0', EGL_NONE};
    const EGLint none[] = {EGL_NONE}, size[] = {EGL_WIDTH, 8, EGL_HEIGHT, 8, EGL_NONE};
    EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    EGLConfig config;
    EGLint count = 0;
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(desktop ? EGL_OPENGL_API : EGL_OPENGL_ES_API) ||
        !eglChooseConfig(display, config_attributes, &config, 1, &count) || count == 0)
        return 0;
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT,
                                          strcmp(kind, "core") == 0 ? core
                                          : desktop                 ? none
                                                                    : es);
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    return eglMakeCurrent(display, surface, surface, context);
}

static void print_extensions(void)
{
    {
        const char *list = (const char *)glGetString(GL_EXTENSIONS);
        printf("error %#x\n", glGetError());
        for (unsigned i = 0; list != NULL && i < sizeof offered / sizeof offered[0]; ++i)
            printf("%s: %d\n", offered[i], has_word(list, offered[i]));
        if (list != NULL)
            printf("string again: %s\n", list == (const char *)glGetString(GL_EXTENSIONS) ? "same" : "other");
        if (list != NULL && strstr(list, "  ") != NULL)
            printf("two spaces\n");
        printf("vendor %s\n", (const char *)glGetString(GL_VENDOR));
        printf("renderer %s\n", (const char *)glGetString(GL_RENDERER));
        printf("version %s\n", (const char *)glGetString(GL_VERSION));
        printf("glsl %s\n", (const char *)glGetString(GL_SHADING_LANGUAGE_VERSION));
    }
    FUNCTION(PFNGLGETSTRINGIPROC, glGetStringi);
    if (glGetStringi != NULL) {
        GLint count = -1, again[8] = {0};
        glGetIntegerv(GL_NUM_EXTENSIONS, &count);
        printf("error %#x\n", glGetError());
        for (GLint i = 0; i < count; ++i)
            for (unsigned k = 0; k < sizeof offered / sizeof offered[0]; ++k) {
                const char *name = (const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i);
                again[k] += name != NULL && strcmp(name, offered[k]) == 0;
            }
        for (unsigned k = 0; k < sizeof offered / sizeof offered[0]; ++k)
            printf("indexed %s: %d\n", offered[k], again[k]);
        printf("count %d, error %#x\n", count, glGetError());
        if (count >= 0) {
            int given = glGetStringi(GL_EXTENSIONS, (GLuint)count) != NULL;
            printf("one too many: %s, error %#x\n", given ? "given" : "none", glGetError());
        }
    }
}

static void print_integers(void)
{
    static const struct {
        const char *name;
        GLenum pname;
    } queries[] = {{"NUM_EXTENSIONS", GL_NUM_EXTENSIONS},
                   {"NUM_PROGRAM_BINARY_FORMATS", GL_NUM_PROGRAM_BINARY_FORMATS},
                   {"PROGRAM_BINARY_FORMATS", GL_PROGRAM_BINARY_FORMATS},
                   {"MAX_LABEL_LENGTH", GL_MAX_LABEL_LENGTH},
                   {"MAX_DEBUG_MESSAGE_LENGTH", GL_MAX_DEBUG_MESSAGE_LENGTH},
                   {"MAX_DEBUG_LOGGED_MESSAGES", GL_MAX_DEBUG_LOGGED_MESSAGES},
                   {"MAX_DEBUG_GROUP_STACK_DEPTH", GL_MAX_DEBUG_GROUP_STACK_DEPTH},
                   {"DEBUG_GROUP_STACK_DEPTH", GL_DEBUG_GROUP_STACK_DEPTH},
                   {"MAJOR_VERSION", GL_MAJOR_VERSION},
                   {"MINOR_VERSION", GL_MINOR_VERSION},
                   {"MAX_TEXTURE_SIZE", GL_MAX_TEXTURE_SIZE},
                   {"CONTEXT_PROFILE_MASK", GL_CONTEXT_PROFILE_MASK},
                   {"DEPTH_BITS", GL_DEPTH_BITS},
                   {"STENCIL_BITS", GL_STENCIL_BITS},
                   {"UNIFORM_BUFFER_OFFSET_ALIGNMENT", GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT},
                   {"TEXTURE_BUFFER_OFFSET_ALIGNMENT", GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT},
                   {"SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT", GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT}};
    for (unsigned i = 0; i < sizeof queries / sizeof queries[0]; ++i) {
        GLint value = -7;
        GLfloat real = -7;
        GLint64 wide = -7;
        GLboolean truth = 77;
        glGetIntegerv(queries[i].pname, &value);
        printf("%s %d, error %#x", queries[i].name, value, glGetError());
        glGetFloatv(queries[i].pname, &real);
        printf(", float %g, error %#x", real, glGetError());
        glGetBooleanv(queries[i].pname, &truth);
        printf(", truth %d, error %#x", truth, glGetError());
        FUNCTION(PFNGLGETINTEGER64VPROC, glGetInteger64v);
        if (glGetInteger64v != NULL) {
            glGetInteger64v(queries[i].pname, &wide);
            printf(", wide %lld, error %#x\n", (long long)wide, glGetError());
        }
    }
}

static void print_program_binary(void)
{
    FUNCTION(PFNGLCREATEPROGRAMPROC, glCreateProgram);
    FUNCTION(PFNGLGETPROGRAMIVPROC, glGetProgramiv);
    FUNCTION(PFNGLGETPROGRAMBINARYPROC, glGetProgramBinary);
    FUNCTION(PFNGLPROGRAMBINARYPROC, glProgramBinary);
    if (glProgramBinary != NULL) {
        GLuint program = glCreateProgram();
        GLint length = -7, status = -7, size = -7;
        GLenum format = 7;
        char room[16] = "untouched";
        glGetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &size);
        printf("binary length %d, error %#x\n", size, glGetError());
        glGetProgramBinary(program, sizeof room, &length, &format, room);
        printf("binary of %d, %s, error %#x\n", length, room, glGetError());
        glProgramBinary(program, 0x875F, room, sizeof room);
        printf("binary loaded, error %#x\n", glGetError());
        glGetProgramiv(program, GL_LINK_STATUS, &status);
        printf("link status %d, error %#x\n", status, glGetError());
    }
}

/* The only functions that a driver of OpenGL ES 2 must have for this are the extension's. */
static void print_oes_binary(void)
{
    FUNCTION(PFNGLCREATEPROGRAMPROC, glCreateProgram);
    FUNCTION(PFNGLGETPROGRAMBINARYPROC, glGetProgramBinaryOES);
    FUNCTION(PFNGLPROGRAMBINARYPROC, glProgramBinaryOES);
    GLuint program = glCreateProgram();
    GLint length = -7;
    GLenum format = 7;
    char room[16] = "untouched";
    glGetProgramBinaryOES(program, -1, &length, &format, room);
    printf("oes: no room at all, error %#x\n", glGetError());
    glGetProgramBinaryOES(program, sizeof room, &length, &format, room);
    printf("oes: binary of %d, %s, error %#x\n", length, room, glGetError());
    glProgramBinaryOES(program, 0x875F, room, sizeof room);
    printf("oes: binary loaded, error %#x\n", glGetError());
}

static void call_debug_functions(int es)
{
    GLuint texture;
    char label[32] = "unset";
    GLsizei length = -7;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    FUNCTION(PFNGLSTRINGMARKERGREMEDYPROC, glStringMarkerGREMEDY);
    if (glStringMarkerGREMEDY != NULL)
        glStringMarkerGREMEDY(4, "mark");
    printf("marked, error %#x\n", glGetError());
    FUNCTION(PFNGLFRAMETERMINATORGREMEDYPROC, glFrameTerminatorGREMEDY);
    if (glFrameTerminatorGREMEDY != NULL)
        glFrameTerminatorGREMEDY();
    printf("terminated, error %#x\n", glGetError());
    FUNCTION(PFNGLINSERTEVENTMARKEREXTPROC, glInsertEventMarkerEXT);
    if (glInsertEventMarkerEXT != NULL)
        glInsertEventMarkerEXT(0, "event");
    FUNCTION(PFNGLPUSHGROUPMARKEREXTPROC, glPushGroupMarkerEXT);
    if (glPushGroupMarkerEXT != NULL)
        glPushGroupMarkerEXT(0, "group");
    FUNCTION(PFNGLPOPGROUPMARKEREXTPROC, glPopGroupMarkerEXT);
    if (glPopGroupMarkerEXT != NULL)
        glPopGroupMarkerEXT();
    printf("grouped, error %#x\n", glGetError());
    FUNCTION(PFNGLLABELOBJECTEXTPROC, glLabelObjectEXT);
    if (glLabelObjectEXT != NULL)
        glLabelObjectEXT(GL_TEXTURE, texture, 0, "a texture");
    FUNCTION(PFNGLGETOBJECTLABELEXTPROC, glGetObjectLabelEXT);
    if (glGetObjectLabelEXT != NULL)
        glGetObjectLabelEXT(GL_TEXTURE, texture, sizeof label, &length, label);
    printf("label '%s' of %d, error %#x\n", label, length, glGetError());
    FUNCTION(PFNGLDEBUGMESSAGEENABLEAMDPROC, glDebugMessageEnableAMD);
    if (glDebugMessageEnableAMD != NULL)
        glDebugMessageEnableAMD(0, 0, 0, NULL, GL_TRUE);
    FUNCTION(PFNGLDEBUGMESSAGEINSERTAMDPROC, glDebugMessageInsertAMD);
    if (glDebugMessageInsertAMD != NULL)
        glDebugMessageInsertAMD(0x9150, 0x9147, 1, 3, "amd");
    FUNCTION(PFNGLDEBUGMESSAGECALLBACKAMDPROC, glDebugMessageCallbackAMD);
    if (glDebugMessageCallbackAMD != NULL)
        glDebugMessageCallbackAMD(NULL, NULL);
    FUNCTION(PFNGLGETDEBUGMESSAGELOGAMDPROC, glGetDebugMessageLogAMD);
    if (glGetDebugMessageLogAMD != NULL)
        printf("%u messages\n", glGetDebugMessageLogAMD(1, 0, NULL, NULL, NULL, NULL, NULL));
    printf("amd, error %#x\n", glGetError());
    FUNCTION(PFNGLPUSHDEBUGGROUPPROC, glPushDebugGroup);
    if (glPushDebugGroup != NULL && !es)
        glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 1, -1, "debug group");
    FUNCTION(PFNGLPOPDEBUGGROUPPROC, glPopDebugGroup);
    if (glPopDebugGroup != NULL && !es)
        glPopDebugGroup();
    FUNCTION(PFNGLPUSHDEBUGGROUPPROC, glPushDebugGroupKHR);
    if (glPushDebugGroupKHR != NULL && es)
        glPushDebugGroupKHR(GL_DEBUG_SOURCE_APPLICATION, 1, -1, "debug group");
    FUNCTION(PFNGLPOPDEBUGGROUPPROC, glPopDebugGroupKHR);
    if (glPopDebugGroupKHR != NULL && es)
        glPopDebugGroupKHR();
    printf("khr, error %#x\n", glGetError());
    FUNCTION(PFNGLDEBUGMESSAGEINSERTARBPROC, glDebugMessageInsertARB);
    if (glDebugMessageInsertARB != NULL && !es)
        glDebugMessageInsertARB(GL_DEBUG_SOURCE_APPLICATION_ARB, GL_DEBUG_TYPE_OTHER_ARB, 1,
                                GL_DEBUG_SEVERITY_HIGH_ARB, -1, "arb");
    printf("arb, error %#x\n", glGetError());
    void *callback = &label;
    glGetPointerv(GL_DEBUG_CALLBACK_FUNCTION, &callback);
    printf("callback %s, error %#x\n", callback == NULL ? "none" : "some", glGetError());
}

typedef void (*notify_function)(const void *start, GLsizeiptr length);

static void map_and_notify(void)
{
    notify_function notify = (notify_function)eglGetProcAddress("glNotifyMappedBufferRangeVMWX");
    printf("notify: %s\n", notify != NULL ? "there" : "not there");
    FUNCTION(PFNGLGENBUFFERSPROC, glGenBuffers);
    FUNCTION(PFNGLBINDBUFFERPROC, glBindBuffer);
    FUNCTION(PFNGLBUFFERSTORAGEPROC, glBufferStorage);
    FUNCTION(PFNGLMAPBUFFERRANGEPROC, glMapBufferRange);
    if (glBufferStorage != NULL) {
        GLuint buffer;
        const GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT;
        const GLbitfield more = getenv("GL_QUERIES_NOTIFY") != NULL ? (GLbitfield)NOTIFY_EXPLICIT : 0;
        glGenBuffers(1, &buffer);
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        glBufferStorage(GL_ARRAY_BUFFER, 256, NULL, flags | more);
        char *memory = glMapBufferRange(GL_ARRAY_BUFFER, 0, 256, flags | more);
        printf("mapped: %s, error %#x\n", memory != NULL ? "yes" : "no", glGetError());
        if (memory != NULL)
            memcpy(memory + 64, "notified", 8);
        if (memory != NULL && notify != NULL)
            notify(memory + 64, 8);
    }
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "compat";
    int es = kind[0] == 'e';
    printf("without a context: %s\n", glGetString(GL_EXTENSIONS) != NULL ? "extensions" : "nothing");
    if (!make_context(kind)) {
        fprintf(stderr, "gl_queries: no such context\n");
        return 99;
    }
    print_extensions();
    print_integers();
    if (strcmp(kind, "es1") != 0)
        print_program_binary();
    if (strcmp(kind, "es2") == 0)
        print_oes_binary();
    call_debug_functions(es);
    if (!es)
        map_and_notify();
    eglTerminate(eglGetDisplay(EGL_DEFAULT_DISPLAY));
    return 0;
}
