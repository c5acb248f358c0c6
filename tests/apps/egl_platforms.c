/* SPDX-License-Identifier: MIT
 * Draws a pixel with each EGL platform that needs no window: surfaceless, every device, and GBM on a render
 * node. Prints what came of each.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>

#define DEVICES 8

static void draw_pixel(unsigned char pixel[4])
{
    GLuint texture, framebuffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glClearColor(1, 0.5, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
}

static void use(const char *platform, EGLDisplay display)
{
    static const EGLint attributes[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_SURFACE_TYPE, 0,
                                        EGL_NONE},
                        version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    unsigned char pixel[4] = {0};
    EGLConfig config = NULL;
    EGLint count = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
        printf("%s: no display, error 0x%x\n", platform, (unsigned)eglGetError());
        return;
    }
    eglBindAPI(EGL_OPENGL_ES_API);
    eglChooseConfig(display, attributes, &config, 1, &count);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        draw_pixel(pixel);
    printf("%s: %u %u %u %u\n", platform, pixel[0], pixel[1], pixel[2], pixel[3]);
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglTerminate(display);
}

static void use_devices(void)
{
    PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    EGLDeviceEXT devices[DEVICES];
    EGLint count = 0;
    if (query == NULL || !query(DEVICES, devices, &count))
        printf("no devices\n");
    for (EGLint i = 0; i < count; ++i)
        use("device", eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL));
}

static void use_gbm(void)
{
    int node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    void *library = node >= 0 ? dlopen("libgbm.so.1", RTLD_NOW) : NULL;
    void *(*create)(int) = NULL;
    if (library != NULL)
        *(void **)&create = dlsym(library, "gbm_create_device");
    void *device = create != NULL ? create(node) : NULL;
    if (device == NULL)
        printf("gbm: no render node\n");
    else
        use("gbm", eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, device, NULL));
}

int main(void)
{
    use("surfaceless", eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL));
    use_devices();
    use_gbm();
    return 0;
}
