/* SPDX-License-Identifier: MIT
 * Compares the flags derived from names with what Debian's apitrace shows for almost 3,900 functions
 * (tests/data/call-flags.txt).
 */
#include "formats/apitrace/call_flags.h"
#include "formats/apitrace/call_uploads.h"
#include "trace/model.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

/* Spells flags as letters, as in the data file. Only flags that can be seen in apitrace's output have one. */
static void spell_flags(uint32_t flags, char *out)
{
    if ((flags & TRACE_CALL_END_FRAME) != 0)
        *out++ = 'f';
    if ((flags & (TRACE_CALL_END_FRAME | TRACE_CALL_SWAP_RENDERTARGET)) != 0)
        *out++ = 's';
    if ((flags & TRACE_CALL_RENDER) != 0)
        *out++ = 'r';
    if ((flags & TRACE_CALL_NO_SIDE_EFFECTS) != 0)
        *out++ = 'q';
    if ((flags & TRACE_CALL_VERBOSE) != 0)
        *out++ = 'v';
    *out = '\0';
}

static void test_like_apitrace(void **state)
{
    (void)state;
    FILE *f = fopen(TEST_DATA_DIR "/call-flags.txt", "r");
    char line[256];
    unsigned names = 0;
    unsigned differences = 0;
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        char name[128];
        char expected[16];
        char found[16];
        if (line[0] == '#' || sscanf(line, "%127s %15s", name, expected) != 2)
            continue;
        spell_flags(trace_call_flags(name), found);
        if (strcmp(expected, found[0] == '\0' ? "-" : found) != 0) {
            print_error("%s: %s, but apitrace: %s\n", name, found, expected);
            ++differences;
        }
        ++names;
    }
    fclose(f);
    assert_true(names > 3800);
    assert_int_equal(differences, 0);
}

static void test_markers(void **state)
{
    (void)state;
    assert_int_equal(trace_call_flags("glPushDebugGroupKHR"), TRACE_CALL_MARKER | TRACE_CALL_MARKER_PUSH);
    assert_int_equal(trace_call_flags("glPopGroupMarkerEXT"), TRACE_CALL_MARKER | TRACE_CALL_MARKER_POP);
    assert_int_equal(trace_call_flags("glStringMarkerGREMEDY"), TRACE_CALL_MARKER);
    assert_int_equal(trace_call_flags(""), 0);
    assert_int_equal(trace_call_flags("memcpy"), 0);
}

static void test_uploads(void **state)
{
    (void)state;
    static const char *const textures[] = {
        "glTexImage2D",
        "glTexImage3DOES",
        "glTexSubImage1D",
        "glTexSubImage4DSGIS",
        "glTextureSubImage2D",
        "glTextureImage3DEXT",
        "glCompressedTexImage2D",
        "glCompressedTextureSubImage3D",
        "glMultiTexSubImage2DEXT",
        "glCompressedMultiTexImage1DEXT",
    };
    static const char *const buffers[] = {
        "glBufferData",         "glBufferSubDataARB",   "glBufferStorage", "glNamedBufferDataEXT",
        "glNamedBufferStorage", "glNamedBufferSubData", "memcpy",          "glNewObjectBufferATI",
    };
    static const char *const others[] = {
        "glCopyTexImage2D",
        "glTexParameteri",
        "glGetTexImage",
        "glClearTexImage",
        "glDrawPixels",
        "glTexBuffer",
        "glGetBufferSubData",
        "glVertexPointer",
        "glProgramBinary",
        "glTexStorage2D",
        "glBufferPageCommitmentARB",
        "glReadPixels",
        "glClearBufferSubData",
    };
    for (size_t i = 0; i < sizeof textures / sizeof textures[0]; ++i)
        assert_int_equal(trace_call_upload(textures[i]), TRACE_UPLOAD_TEXTURE);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i)
        assert_int_equal(trace_call_upload(buffers[i]), TRACE_UPLOAD_BUFFER);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        assert_int_equal(trace_call_upload(others[i]), TRACE_UPLOAD_OTHER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uploads),
        cmocka_unit_test(test_like_apitrace),
        cmocka_unit_test(test_markers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
