/* SPDX-License-Identifier: MIT */
/* Tests that gltrace.conf is read correctly, and that nothing in it does harm. */
#include "cmocka_all.h"
#include "gl/gltrace_conf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char warnings[4096];

/* Replaces that of the capture library. */
void capture_log(const char *format, ...);
void capture_log(const char *format, ...)
{
    (void)format;
}

static void warn(const char *what, const char *key)
{
    size_t used = strlen(warnings);
    snprintf(warnings + used, sizeof warnings - used, "%s %s;", key, what);
}

static struct gltrace_conf parse(const char *text)
{
    static char *copy;
    struct gltrace_conf conf;
    free(copy); /* of the exact length: a sanitizer notices reads behind it */
    copy = strdup(text);
    warnings[0] = '\0';
    gltrace_conf_parse(copy, &conf, warn);
    return conf;
}

static void test_values(void **state)
{
    (void)state;
    struct gltrace_conf c = parse("GL_VENDOR = \"A # B\" # more\n"
                                  "\tGL_RENDERER=\"two\n  lines\"\r\n"
                                  "GL_MAX_TEXTURE_SIZE=  64 # pixels\n"
                                  "GL_EXTENSIONS = \" GL_a\nGL_b  GL_c \"\n"
                                  "GL_CONTEXT_PROFILE_MASK = \"GL_CONTEXT_COMPATIBILITY_PROFILE_BIT\"");
    assert_string_equal(c.vendor, "A # B");
    assert_string_equal(c.renderer, "two lines");
    assert_string_equal(c.extensions, "GL_a GL_b GL_c");
    assert_int_equal(c.max_texture_size, 64);
    assert_int_equal(c.profile_mask, 2);
    assert_true(c.offer_extensions);
    assert_null(c.version);
    assert_string_equal(warnings, "");
}

/* Comments and empty lines are ignored without a message. */
static void test_comments(void **state)
{
    (void)state;
    struct gltrace_conf c = parse("# GL_VENDOR = \"no\"\n#\n\n \t# GL_RENDERER = \"no\"\n \r\n"
                                  "GL_VERSION = \"4.5\"\n#GL_MAX_TEXTURE_SIZE = 3\n  ");
    assert_null(c.vendor);
    assert_null(c.renderer);
    assert_int_equal(c.max_texture_size, 0);
    assert_int_equal(c.major, 4);
    assert_int_equal(c.minor, 5);
    assert_string_equal(warnings, "");
}

static void test_limits_of_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        int32_t number;
        bool fits;
    } values[] = {{"0", 0, true},           {"1", 1, true},  {"2147483647", INT32_MAX, true},
                  {"2147483648", 0, false}, {"-0", 0, true}, {"1x", 0, false},
                  {"1 2", 0, false}};
    for (unsigned i = 0; i < sizeof values / sizeof values[0]; ++i) {
        char line[64];
        snprintf(line, sizeof line, "GL_MAX_TEXTURE_SIZE = %s\n", values[i].value);
        assert_int_equal(parse(line).max_texture_size, values[i].number);
        assert_string_equal(warnings, values[i].fits ? "" : "GL_MAX_TEXTURE_SIZE has no valid value;");
    }
    assert_null(parse("GL_VENDOR = \"\"\n").vendor);
    assert_string_equal(warnings, "");
}

static void test_versions(void **state)
{
    (void)state;
    struct gltrace_conf c = parse("GL_VERSION = \"OpenGL ES 3.2 Acme\"\n");
    assert_int_equal(c.major, 3);
    assert_int_equal(c.minor, 2);
    c = parse("GL_MINOR_VERSION = 0\nGL_MAJOR_VERSION = 4\n");
    assert_string_equal(c.version, "4.0");
    c = parse("GL_VERSION = \"what?\"");
    assert_int_equal(c.major, 0);
    assert_string_equal(c.version, "what?");
}

static void test_switch(void **state)
{
    (void)state;
    assert_false(parse("TRACE_CLI_OFFER_EXTENSIONS = no\n").offer_extensions);
    assert_false(parse("TRACE_CLI_OFFER_EXTENSIONS=0").offer_extensions);
    assert_true(parse("TRACE_CLI_OFFER_EXTENSIONS = yes").offer_extensions);
    assert_true(parse("TRACE_CLI_OFFER_EXTENSIONS = 1").offer_extensions);
    assert_string_equal(warnings, "");
    assert_true(parse("TRACE_CLI_OFFER_EXTENSIONS = perhaps").offer_extensions);
    assert_string_equal(warnings, "TRACE_CLI_OFFER_EXTENSIONS has no valid value;");
    assert_true(parse("TRACE_CLI_OFFER_EXTENSIONS = 2").offer_extensions);
    assert_string_equal(warnings, "TRACE_CLI_OFFER_EXTENSIONS has no valid value;");
}

static void test_what_is_wrong_is_passed_over(void **state)
{
    (void)state;
    static const char *const wrong[] = {"GL_VENDOR",
                                        "GL_VENDOR =",
                                        "GL_VENDOR = \"no end",
                                        "GL_VENDOR = bare",
                                        "GL_MAX_TEXTURE_SIZE",
                                        "GL_MAX_TEXTURE_SIZE = x",
                                        "GL_MAX_TEXTURE_SIZE = -1",
                                        "GL_MAX_TEXTURE_SIZE = 99999999999",
                                        "GL_MAX_TEXTURE_SIZE = \"64\""};
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        struct gltrace_conf c = parse(wrong[i]);
        assert_null(c.vendor);
        assert_int_equal(c.max_texture_size, 0);
        assert_non_null(strstr(warnings, "has no valid value;"));
    }
    struct gltrace_conf c = parse("what = is this\n=\n\"\nGL_MAX_TEXTURE_SIZE = 8\n");
    assert_int_equal(c.max_texture_size, 8);
    assert_non_null(strstr(warnings, "what is not a key;"));
}

static void test_every_cut(void **state)
{
    (void)state;
    static const char text[] = "# c\nGL_VENDOR = \"V\"\nGL_MAX_TEXTURE_SIZE = 12 # x\nGL_VERSION = \"3.1\"\n";
    char part[sizeof text];
    for (size_t size = 0; size < sizeof text; ++size) {
        snprintf(part, size + 1, "%s", text);
        struct gltrace_conf c = parse(part);
        assert_true(c.vendor == NULL || strcmp(c.vendor, "V") == 0);
        assert_true(c.max_texture_size == 0 || c.max_texture_size == 1 || c.max_texture_size == 12);
    }
}

/* --- the file --------------------------------------------------------------------------------------------
 */

static char directory[] = "/tmp/test_gltrace_conf.XXXXXX";

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

/* Writes a file with a number after a comment of this many bytes. */
static void write_conf(const char *name, int number, size_t comment)
{
    FILE *f = fopen(path_of(name), "w");
    assert_non_null(f);
    for (size_t i = 0; i < comment; ++i)
        fputc(i + 1 < comment ? '#' : '\n', f);
    fprintf(f, "GL_MAX_TEXTURE_SIZE = %d", number);
    assert_int_equal(fclose(f), 0);
}

/* Returns what a process with these variables reads. is_closed: it has no standard input. */
static int read_in(char *const environment[], bool is_closed)
{
    int status = 0;
    char name[] = "read";
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (is_closed)
            close(0);
        execve("/proc/self/exe", (char *const[]){name, name, NULL}, environment);
        _exit(99);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* trace-cli-trace(1): GLTRACE_CONF, or the user's configuration directory. */
static void test_files(void **state)
{
    (void)state;
    static const struct {
        const char *conf, *config, *home;
        int number;
    } processes[] = {
        {"named", "config", "home", 1}, {NULL, "config", "home", 2}, {NULL, "", "home", 3},
        {NULL, NULL, "home", 3},        {NULL, "home", "home", 0},   {"nothing", "config", "home", 0},
        {"large", NULL, NULL, 5},       {"larger", NULL, NULL, 0},   {"pipe", NULL, NULL, 0},
        {"config", NULL, NULL, 0},      {"empty", NULL, NULL, 0},    {NULL, NULL, NULL, 0},
    };
    assert_non_null(mkdtemp(directory));
    static const char *const directories[] = {"config", "config/apitrace", "home", "home/.config",
                                              "home/.config/apitrace"};
    for (unsigned i = 0; i < sizeof directories / sizeof directories[0]; ++i)
        assert_int_equal(mkdir(path_of(directories[i]), 0700), 0);
    write_conf("named", 1, 0);
    write_conf("config/apitrace/gltrace.conf", 2, 0);
    write_conf("home/.config/apitrace/gltrace.conf", 3, 0);
    const size_t rest = strlen("GL_MAX_TEXTURE_SIZE = 5");
    write_conf("large", 5, (1 << 20) - rest);
    write_conf("larger", 5, (1 << 20) - rest + 1);
    assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
    fclose(fopen(path_of("empty"), "w"));
    for (unsigned i = 0; i < sizeof processes / sizeof processes[0]; ++i) {
        static const char *const names[] = {"GLTRACE_CONF", "XDG_CONFIG_HOME", "HOME"};
        const char *values[] = {processes[i].conf, processes[i].config, processes[i].home};
        char texts[3][160], *environment[4] = {NULL};
        for (unsigned k = 0, n = 0; k < 3; ++k) {
            if (values[k] == NULL)
                continue;
            snprintf(texts[k], sizeof texts[k], "%s=%s", names[k],
                     values[k][0] != '\0' ? path_of(values[k]) : "");
            environment[n++] = texts[k];
        }
        assert_int_equal(read_in(environment, false), processes[i].number);
        assert_int_equal(read_in(environment, true), processes[i].number);
    }
    char command[160];
    snprintf(command, sizeof command, "rm -r %s", directory);
    assert_int_equal(system(command), 0);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) { /* neither waits forever nor leaves a descriptor open */
        alarm(10);
        int before = dup(2);
        close(before);
        int number = gltrace_conf_get()->max_texture_size;
        return dup(2) == before ? number : 98;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_switch),
        cmocka_unit_test(test_what_is_wrong_is_passed_over),
        cmocka_unit_test(test_every_cut),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_limits_of_numbers),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
