/* SPDX-License-Identifier: MIT
 * Generates manual pages and shell completion from the tables of commands and options. Part of the build; not
 * installed. usage: generate_docs FRAGMENTS TEMPLATES OUT
 */
#include "commands.h"
#include "generate/command_check.h"
#include "generate/completion.h"
#include "generate/manual_page.h"
#include "generate/output_file.h"

#include "base/error.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

static const char *const listed_names[] = {
#define CLI_COMMAND(name, directory) #name,
#include "command_list.inc"
#undef CLI_COMMAND
};

static int make_directory(const char *out, const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", out, name);
    return mkdir(path, 0777) == 0 || errno == EEXIST ? 0
                                                     : trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path);
}

static int copy_template(FILE *out, const char *directory, const char *name)
{
    char path[PATH_MAX], bytes[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;)
        fwrite(bytes, 1, n, out);
    int rc = ferror(in) ? trace_error_set(TRACE_ERR_IO, "%s: cannot be read", path) : 0;
    fclose(in);
    return rc;
}

static int write_completion(const char *templates, const char *template, const char *directory,
                            const char *name, void (*put)(FILE *out))
{
    FILE *out;
    int rc = output_file_open(&out, "%s/%s", directory, name);
    if (rc != 0)
        return rc;
    if (template != NULL)
        rc = copy_template(out, templates, template);
    put(out);
    int closed = output_file_close(out, name);
    return rc != 0 ? rc : closed;
}

static int write_pages(const char *fragments, const char *directory)
{
    int rc = manual_page_write_overview(fragments, directory);
    for (const struct cli_command *const *c = cli_commands; rc == 0 && *c != NULL; ++c)
        rc = manual_page_write(*c, fragments, directory);
    return rc;
}

/* Returns true if the file, NAME.1.in, is the hand-written part of a page. */
static bool is_fragment_of_page(const char *file)
{
    char name[NAME_MAX + 1];
    if (strcmp(file, "trace-cli.1.in") == 0)
        return true;
    for (const struct cli_command *const *c = cli_commands; *c != NULL; ++c) {
        snprintf(name, sizeof name, "trace-cli-%s.1.in", (*c)->name);
        if (strcmp(file, name) == 0)
            return true;
    }
    return false;
}

static int check_fragments(const char *fragments)
{
    DIR *directory = opendir(fragments);
    if (directory == NULL)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s", fragments);
    int rc = 0;
    for (const struct dirent *file; rc == 0 && (file = readdir(directory)) != NULL;)
        if (file->d_name[0] != '.' && !is_fragment_of_page(file->d_name))
            rc = trace_error_set(TRACE_ERR_USAGE, "%s/%s: belongs to no command", fragments, file->d_name);
    closedir(directory);
    return rc;
}

static int generate(const char *fragments, const char *templates, const char *out)
{
    char directory[PATH_MAX];
    int rc = command_check_tables(cli_commands, listed_names);
    if (rc != 0 || (rc = check_fragments(fragments)) != 0 || (rc = make_directory(out, "man1")) != 0 ||
        (rc = make_directory(out, "completion")) != 0)
        return rc;
    snprintf(directory, sizeof directory, "%s/man1", out);
    if ((rc = write_pages(fragments, directory)) != 0)
        return rc;
    snprintf(directory, sizeof directory, "%s/completion", out);
    if ((rc = write_completion(templates, "completion.bash", directory, "trace-cli", completion_bash)) != 0 ||
        (rc = write_completion(templates, "completion.fish", directory, "trace-cli.fish", completion_fish)) !=
            0)
        return rc;
    return write_completion(templates, NULL, directory, "_trace-cli", completion_zsh);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: generate_docs FRAGMENTS TEMPLATES OUT\n", stderr);
        return 1;
    }
    return generate(argv[1], argv[2], argv[3]) == 0 ? 0 : cli_print_error();
}
