/* SPDX-License-Identifier: MIT
 * Tests what the build reports about incorrect tables of commands.
 */
#include "generate/command_check.h"

#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

const struct cli_option cli_help_option = {.kind = CLI_OPTION_ACTION, .letter = 'h', .name = "help"};

static int run(const struct cli_command *self, int argc, char **argv)
{
    (void)self;
    (void)argc;
    (void)argv;
    return 0;
}

#define COMMAND(name_, ...)                                                                                  \
    (struct cli_command)                                                                                     \
    {                                                                                                        \
        .name = name_, .group = CLI_GROUP_LOOK, .summary = "s", .operands = "", .run = run, __VA_ARGS__      \
    }

static void expect(const struct cli_command *first, const struct cli_command *second,
                   const char *const *names, const char *message)
{
    const struct cli_command *const commands[] = {first, second, NULL};
    int rc = command_check_tables(commands, names);
    assert_int_equal(rc, message != NULL ? TRACE_ERR_USAGE : 0);
    if (message != NULL)
        assert_string_equal(trace_error_message(), message);
}

static void expect_options(const struct cli_option *options, const char *message)
{
    struct cli_command c = COMMAND("count", .options = options);
    expect(&c, NULL, (const char *const[]){"count"}, message);
}

static void test_options(void **state)
{
    (void)state;
    const struct cli_option fine[] = {
        {.kind = CLI_OPTION_FLAG, .letter = 'a', .name = "all", .alias = "every"},
        {.kind = CLI_OPTION_FLAG, .letter = 'b'},
        {.kind = CLI_OPTION_FLAG, .name = "blobs"},
        {.kind = CLI_OPTION_FLAG, .name = "calls"},
        {.kind = CLI_OPTION_END},
    };
    expect_options(fine, NULL);
    expect_options(NULL, NULL);
    const struct {
        struct cli_option first, second;
        const char *message;
    } wrong[] = {
        {{.letter = 's', .name = "snappy"},
         {.letter = 's', .name = "stored"},
         "command count has two options -s"},
        {{.letter = 's', .name = "snappy"}, {.name = "snappy"}, "command count has two options --snappy"},
        {{.name = "snappy"}, {.name = "stored", .alias = "snappy"}, "command count has two options --snappy"},
        {{.name = "a", .alias = "snappy"}, {.name = "snappy"}, "command count has two options --snappy"},
        {{.name = "a"}, {.letter = 'h', .name = "b"}, "command count has two options -h"},
        {{.name = "help"}, {.name = "b"}, "command count has two options --help"},
        {{.name = "a"}, {.help = "nameless"}, "command count has an option without a name"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        struct cli_option options[] = {wrong[i].first, wrong[i].second, {.kind = CLI_OPTION_END}};
        options[0].kind = options[1].kind = CLI_OPTION_FLAG;
        expect_options(options, wrong[i].message);
    }
}

static void test_names(void **state)
{
    (void)state;
    const char *const two[] = {"count", "count_threads"};
    const struct cli_command count = COMMAND("count"), threads = COMMAND("count-threads"),
                             twice = COMMAND("count"), other = COMMAND("count-thread"),
                             alias = COMMAND("count-threads", .alias = "count"), nameless = COMMAND(NULL),
                             longer = COMMAND("counts");
    expect(&count, &threads, two, NULL);
    expect(&count, &twice, (const char *const[]){"count", "count"}, "two commands are called count");
    expect(&count, &alias, two, "two commands are called count");
    expect(&count, &other, two, "command count-thread is listed as count_threads");
    expect(&longer, NULL, two, "command counts is listed as count");
    expect(&nameless, NULL, two, "command without a name is listed as count");
}

static void test_what_must_be_there(void **state)
{
    (void)state;
    const char *const name[] = {"count"};
    struct cli_command c = COMMAND("count");
    c.group = 0;
    expect(&c, NULL, name, "command count has no group");
    c.group = CLI_GROUP_END;
    expect(&c, NULL, name, "command count has no group");
    c = COMMAND("count");
    c.run = NULL;
    expect(&c, NULL, name, "command count lacks its summary, operands or function to run");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_what_must_be_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
