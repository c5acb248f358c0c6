/* SPDX-License-Identifier: MIT
 * Tests how text becomes groff's macros.
 */
#include "generate/roff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool is_file(const void *context, const char *word, size_t length)
{
    (void)context;
    return length == 4 && memcmp(word, "FILE", 4) == 0;
}

static void expect_paragraphs(const char *text, const char *expected)
{
    const struct roff_marks marks = {.is_placeholder = is_file};
    char *found = NULL;
    size_t size;
    FILE *out = open_memstream(&found, &size);
    assert_non_null(out);
    roff_paragraphs(out, text, &marks);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(found, expected);
    free(found);
}

static void test_paragraphs(void **state)
{
    (void)state;
    expect_paragraphs("", "");
    expect_paragraphs("One\ntwo.\n\nThree.\n", "One\ntwo.\n.PP\nThree.\n");
    expect_paragraphs("One.\n  a  b\n  c\nTwo.\n", "One.\n.PP\n.nf\n  a  b\n  c\n.fi\n.PP\nTwo.\n");
    /* no empty paragraph after indented lines */
    expect_paragraphs("One.\n  a\n\nTwo.", "One.\n.PP\n.nf\n  a\n.fi\n.PP\nTwo.\n");
    expect_paragraphs("One.\n  a\n", "One.\n.PP\n.nf\n  a\n.fi\n");
    expect_paragraphs("  a", ".PP\n.nf\n  a\n.fi\n");
}

static void test_marks(void **state)
{
    (void)state;
    expect_paragraphs("With -x or --long-name, a FILE, not a PROFILE.\n",
                      "With \\fB\\-x\\fR or \\fB\\-\\-long\\-name\\fR, a \\fIFILE\\fR, not a PROFILE.\n");
    expect_paragraphs("a well-known 5-3 - 2\n", "a well-known 5-3 \\- 2\n");
    expect_paragraphs(".dot\n'quote\n\\`^~\n", "\\&.dot\n\\&\\(aqquote\n\\e\\(ga\\(ha\\(ti\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paragraphs),
        cmocka_unit_test(test_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
