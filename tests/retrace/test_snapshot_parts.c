/* SPDX-License-Identifier: MIT
 * Tests the parts of snapshots that need no context: how depths become grey, the formats of streams, and the
 * queue of pictures that threads encode.
 */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "snapshot/picture_queue.h"
#include "snapshot/snapshot_picture.h"

#include "base/error.h"

/* A column of pixels. */
static struct snapshot_picture picture_of(const void *pixels, uint32_t height, uint32_t channels)
{
    struct snapshot_picture p = {.image = {0}};
    assert_int_equal(image_init(&p.image, 1, height, channels), 0);
    memcpy(p.image.pixels, pixels, image_size(&p.image));
    return p;
}

static void test_depths(void **state)
{
    (void)state;
    static const float depths[] = {-1, 0, 0.001F, 0.0059F, 0.5F, 0.998F, 0.9981F, 1, 2, NAN};
    static const uint8_t greys[] = {0, 0, 0, 2, 128, 254, 255, 255, 255, 0};
    struct snapshot_picture p = picture_of(depths, 10, 4);
    FILE *file = tmpfile();
    p.is_depth = true;
    p.drop_alpha = true;
    snapshot_picture_prepare(&p);
    assert_int_equal(p.image.channels, 4); /* a float has no alpha channel */
    struct png_encoder encoder = {0};
    assert_int_equal(snapshot_picture_write_png(&p, &encoder, file), 0);
    png_encoder_fini(&encoder);
    assert_int_equal(p.image.channels, 1);
    for (unsigned i = 0; i < sizeof greys; ++i)
        assert_in_range(p.image.pixels[i], greys[i] - (greys[i] > 0), greys[i]);
    assert_int_equal(p.image.pixels[0], 0);
    assert_int_equal(p.image.pixels[4], 128);
    assert_int_equal(p.image.pixels[7], 255);
    assert_int_equal(p.image.pixels[8], 255);
    snapshot_picture_fini(&p);
    fclose(file);
}

/* OpenGL's rows begin at the bottom. Turning them twice would be wrong. */
static void test_rows_and_alpha(void **state)
{
    (void)state;
    struct snapshot_picture p = picture_of("abcdefgh", 2, 4);
    p.is_bottom_up = p.drop_alpha = true;
    snapshot_picture_prepare(&p);
    assert_memory_equal(p.image.pixels, "efgabc", 6);
    snapshot_picture_prepare(&p);
    assert_memory_equal(p.image.pixels, "efgabc", 6);
    snapshot_picture_fini(&p);
    p = picture_of("abcdefgh", 2, 4);
    snapshot_picture_prepare(&p);
    assert_memory_equal(p.image.pixels, "abcdefgh", 8);
    snapshot_picture_fini(&p);
}

static void expect_stream(struct snapshot_picture *p, enum snapshot_format format, const char *expected,
                          size_t size)
{
    char *text = NULL;
    size_t written = 0;
    FILE *file = open_memstream(&text, &written);
    assert_int_equal(snapshot_picture_write(p, format, 12345678901, file), 0);
    fclose(file);
    assert_int_equal(written, size);
    assert_memory_equal(text, expected, size);
    free(text);
}

static void test_streams(void **state)
{
    (void)state;
    struct snapshot_picture p = picture_of("abcdef", 2, 3);
    expect_stream(&p, SNAPSHOT_RGB, "abcdef", 6);
    expect_stream(&p, SNAPSHOT_PNM, "P6\n#12345678901\n1 2\n255\nabcdef", 30);
    expect_stream(&p, SNAPSHOT_MD5, "E80B5017098950FC58AAD83C8C14978E\n", 33);
    snapshot_picture_fini(&p);
    p = picture_of("abcdefgh", 2, 4);
    p.is_depth = true;
    expect_stream(&p, SNAPSHOT_PNM, "Pf\n#12345678901\n1 2\n1\nabcdefgh", 30);
    snapshot_picture_fini(&p);
    p = picture_of("ab", 2, 1);
    expect_stream(&p, SNAPSHOT_PNM, "P5\n#12345678901\n1 2\n255\nab", 26);
    snapshot_picture_fini(&p);
}

/* A stream that cannot be written is an error. */
static void test_full_streams(void **state)
{
    static const enum snapshot_format formats[] = {SNAPSHOT_PNM, SNAPSHOT_RGB, SNAPSHOT_MD5, SNAPSHOT_PNM};
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
        struct snapshot_picture p = picture_of("abcdefgh", 2, 4);
        FILE *file = fopen("/dev/full", "wb");
        assert_non_null(file);
        setvbuf(file, NULL, _IONBF, 0);
        p.is_depth = i == 3;
        assert_int_equal(snapshot_picture_write(&p, formats[i], 1, file), TRACE_ERR_IO);
        assert_string_equal(trace_error_message(), "stdout: No space left on device");
        fclose(file);
        snapshot_picture_fini(&p);
    }
}

/* --- the queue ------------------------------------------------------------------------------------------ */

static char directory[] = "/tmp/test_snapshot_parts.XXXXXX";
static char path[80];

static const char *path_of(unsigned number)
{
    snprintf(path, sizeof path, "%s/%u.png", directory, number);
    return path;
}

static int add(struct picture_queue *q, unsigned number)
{
    uint8_t colour[3] = {(uint8_t)number, 1, 2};
    struct snapshot_picture p = picture_of(colour, 1, 3);
    int rc = picture_queue_add(q, &p, path_of(number));
    assert_null(p.image.pixels);
    return rc;
}

/* Returns what is printed from now on until end_printing(). */
static int begin_printing(FILE **printed)
{
    int terminal = dup(STDOUT_FILENO);
    *printed = tmpfile();
    fflush(stdout);
    dup2(fileno(*printed), STDOUT_FILENO);
    return terminal;
}

static void end_printing(int terminal)
{
    fflush(stdout);
    dup2(terminal, STDOUT_FILENO);
    close(terminal);
}

static unsigned count_threads(void)
{
    unsigned count = 0;
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    for (const struct dirent *e; (e = readdir(tasks)) != NULL;)
        count += e->d_name[0] != '.';
    closedir(tasks);
    return count;
}

/* No thread is left, although one that has been joined is still listed for a moment. */
static void expect_threads(unsigned most)
{
    for (int i = 0; i < 5000 && count_threads() > most; ++i)
        usleep(1000);
    assert_true(count_threads() <= most);
}

/* Threads wait for pictures. There are at most 16. */
static void test_threads(void **state)
{
    (void)state;
    static const unsigned wanted[] = {0, 1, 16, 17}, expected[] = {0, 1, 16, 16};
    unsigned before = count_threads();
    for (int i = 0; i < 4; ++i) {
        struct picture_queue *q;
        assert_int_equal(picture_queue_open(&q, wanted[i]), 0);
        assert_int_equal(count_threads() - before, expected[i]);
        assert_int_equal(picture_queue_close(q), 0);
        expect_threads(before);
    }
}

/* All pictures are written, and reported in their order, however many threads there are. */
static void test_queue(void **state)
{
    (void)state;
    enum { PICTURES = 100 };
    static const unsigned threads[] = {0, 1, 4, 99};
    for (unsigned t = 0; t < 4; ++t) {
        struct picture_queue *q;
        FILE *printed;
        char line[120];
        int terminal = begin_printing(&printed), rc = picture_queue_open(&q, threads[t]);
        for (unsigned i = 0; rc == 0 && i < PICTURES; ++i)
            rc = add(q, i);
        int closed = picture_queue_close(q);
        end_printing(terminal);
        assert_int_equal(rc, 0);
        assert_int_equal(closed, 0);
        rewind(printed);
        for (unsigned i = 0; i < PICTURES; ++i) {
            char expected[120];
            struct image im;
            snprintf(expected, sizeof expected, "Wrote %s\n", path_of(i));
            assert_non_null(fgets(line, sizeof line, printed));
            assert_string_equal(line, expected);
            assert_int_equal(image_read_file(&im, path), 0);
            assert_int_equal(im.pixels[0], i);
            image_fini(&im);
            unlink(path);
        }
        assert_null(fgets(line, sizeof line, printed));
        fclose(printed);
    }
    assert_int_equal(picture_queue_close(NULL), 0);
}

/* The first error is returned with its message, and the pictures around it are written. */
static void test_errors(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads < 3; ++threads) {
        struct picture_queue *q;
        FILE *printed;
        assert_int_equal(symlink("/dev/full", path_of(1)), 0);
        int terminal = begin_printing(&printed), rc = picture_queue_open(&q, threads);
        assert_int_equal(rc, 0);
        for (unsigned i = 0; i < 3; ++i) {
            int added = add(q, i);
            rc = rc != 0 ? rc : added;
        }
        int closed = picture_queue_close(q);
        end_printing(terminal);
        rc = rc != 0 ? rc : closed;
        assert_int_equal(rc, TRACE_ERR_IO);
        assert_non_null(strstr(trace_error_message(), path_of(1)));
        for (unsigned i = 0; i < 3; ++i)
            assert_int_equal(unlink(path_of(i)), 0);
        fclose(printed);
    }
}

static bool fails_to_close;

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);

int __wrap_fclose(FILE *file)
{
    int rc = __real_fclose(file);
    if (!fails_to_close)
        return rc;
    errno = EDQUOT;
    return EOF;
}

/* Some file systems only say that there is no room when a file is closed. It is not left incomplete. */
static void test_errors_at_the_end(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads < 3; ++threads) {
        struct picture_queue *q;
        assert_int_equal(picture_queue_open(&q, threads), 0);
        fails_to_close = true;
        int added = add(q, 1), closed = picture_queue_close(q);
        fails_to_close = false;
        assert_int_equal(added != 0 ? added : closed, TRACE_ERR_IO);
        assert_non_null(strstr(trace_error_message(), path_of(1)));
        assert_non_null(strstr(trace_error_message(), strerror(EDQUOT)));
        assert_int_not_equal(access(path_of(1), F_OK), 0);
    }
}

/* A picture whose file cannot be opened is an error at once. */
static void test_missing_directories(void **state)
{
    (void)state;
    struct picture_queue *q;
    struct snapshot_picture p = picture_of("abc", 1, 3);
    assert_int_equal(picture_queue_open(&q, 2), 0);
    assert_int_equal(picture_queue_add(q, &p, "/nonexistent/x.png"), TRACE_ERR_IO);
    assert_non_null(strstr(trace_error_message(), "/nonexistent/x.png"));
    assert_int_equal(picture_queue_close(q), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depths),
        cmocka_unit_test(test_rows_and_alpha),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_full_streams),
        cmocka_unit_test(test_queue),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_errors_at_the_end),
        cmocka_unit_test(test_missing_directories),
    };
    if (mkdtemp(directory) == NULL)
        return 2;
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(directory);
    return status;
}
