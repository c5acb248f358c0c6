/* SPDX-License-Identifier: MIT */
#include "handlers/exceptions.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/* tests/retrace/test_replay_exceptions.c holds that every function is either here or replayed. */
const struct replay_exception replay_exceptions[] = {
    /* --- no effect on what is drawn ------------------------------------------------------------------ */
    {"glXWait* eglWaitClient eglWaitGL eglWaitNative", "one thread makes all calls in their order"},
    {"eglWaitSync* eglSignalSync* eglUnsignalSyncEXT eglClientSignalSyncEXT eglFenceNV",
     "syncs are replayed as fences, which signal by themselves"},
    {"glXSwapInterval* eglSwapInterval glXDelayBeforeSwapNV eglPresentationTimeANDROID",
     "a replay is as fast as it can be, or as its options say"},
    {"glX*SwapGroup* glX*SwapBarrier* glXResetFrameCountNV glXCushionSGI",
     "it concerns when several screens swap, and not what they show"},
    {"glXSelectEvent*", "a replay has no events"},
    {"glXBindTexImageEXT glXReleaseTexImageEXT", "the trace has the texture's image, as a call of its own"},
    {"glXReleaseBuffersMESA glXSet3DfxModeMESA", "no driver has used it for many years"},
    {"eglInitialize eglTerminate", "the display lasts as long as the replay"},
    {"eglSurfaceAttrib eglSetDamageRegionKHR", "it is a hint, or concerns what is shown of a window"},
    {"eglDupNativeFenceFDANDROID eglExport*MESA", "another process or API gets it; nothing is drawn"},
    {"eglDebugMessageControlKHR eglLabelObjectKHR", "messages about EGL's calls are the program's"},
    {"eglSetBlobCacheFuncsANDROID glDebugMessageCallback*", "its argument is a function of the program"},

    /* --- what they need is not in the trace ---------------------------------------------------------- */
    {"glImport*Fd* glImport*Win32*", "its argument is a handle of a process that has ended"},
    {"glCreateSyncFromCLeventARB", "its event is one of OpenCL"},
    {"glVDPAUInitNV glVDPAURegister*", "its surfaces are those of a video decoder"},
    {"gl*PointerListIBM gl*PointervINTEL glVertexArrayRange* glFlushVertexArrayRangeAPPLE glPixelDataRangeNV "
     "glElementPointer* "
     "glReplacementCodeubvSUN glReplacementCodeuivSUN glReplacementCodeusvSUN glReplacementCodePointerSUN "
     "glVariant*EXT glSetInvariantEXT glSetLocalConstantEXT "
     "glBinormalPointerEXT glTangentPointerEXT glVertexWeightPointerEXT glMapControlPointsNV "
     "glInstrumentsBufferSGIX glShadingRateSampleOrderCustomNV glListDrawCommandsStatesClientNV "
     "glDrawCommands*NV",
     "the memory that its argument points to is not recorded"},
    {"glExtGetBufferPointervQCOM glExtGetTexLevelParameterivQCOM glExtGetTexSubImageQCOM "
     "glExtGetTexturesQCOM",
     "it only asks, for debuggers of a driver that does not exist on a desktop"},
    {"glXUseXFont", "the letters are in a font of the program's X server"},
    {"eglLockSurfaceKHR eglUnlockSurfaceKHR", "what the program writes to a locked surface is not recorded"},
    {"eglCreatePbufferFromClientBuffer", "its buffer is an image of OpenVG"},
    {"eglCreatePixmapSurfaceHI eglCreateNativeClientBufferANDROID eglCompositor*EXT",
     "it belongs to a window system that is not Linux's"},
    {"egl*WaylandDisplayWL eglCreateWaylandBufferFromImageWL eglCreateDRMImageMESA",
     "the other side is another process"},
    {"eglCreateStreamKHR eglCreateStreamAttribKHR eglCreateStreamFromFileDescriptorKHR eglCreateStreamSyncNV "
     "eglDestroyStreamKHR eglResetStreamNV eglSetStream* eglStream* eglOutput*AttribEXT",
     "a stream's frames come from elsewhere, or go there"},
    {"glX*VideoCapture* glX*VideoDevice* glX*VideoImage* glX*VideoSource* glXSendPbufferToVideoNV "
     "glX*Hyperpipe* glXChannelRect* glXBindChannelToWindowSGIX glXAssociateDMPbufferSGIX",
     "it needs hardware for video or for several pipes"},

    /* --- between contexts ---------------------------------------------------------------------------- */
    {"glXCopyContext glXImportContextEXT", "Mesa does not have it for direct rendering, nor does EGL"},
    {"glX*CopyBufferSubDataNV glXCopyImageSubDataNV glXNamedCopyBufferSubDataNV "
     "glXBlitContextFramebufferAMD glX*AssociatedContext*AMD",
     "it concerns several GPUs, which a replay does not choose"},

    /* --- other systems ------------------------------------------------------------------------------- */
    {"wgl*", "it is of Windows, whose window system is not replayed"},
    {"CGL*", "it is of macOS, whose window system is not replayed"},
};

const size_t replay_exception_count = sizeof replay_exceptions / sizeof *replay_exceptions;

bool replay_exception_has(const struct replay_exception *e, const char *name)
{
    char pattern[80];
    for (const char *at = e->functions; *at != '\0';) {
        size_t length = strcspn(at, " ");
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, at);
        if (fnmatch(pattern, name, 0) == 0)
            return true;
        at += length + strspn(at + length, " ");
    }
    return false;
}

const char *replay_exception_reason(const char *name)
{
    for (size_t i = 0; i < replay_exception_count; ++i)
        if (replay_exception_has(&replay_exceptions[i], name))
            return replay_exceptions[i].reason;
    return NULL;
}
