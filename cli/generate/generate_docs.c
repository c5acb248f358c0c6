/* SPDX-License-Identifier: MIT
 * Writes what follows from the tables of commands and options: manual pages, and completion for shells.
 * A program of the build; it is not installed.
 * usage: generate_docs FRAGMENTS TEMPLATES OUT
 */
#include "commands.h"
#include "generate/completion.h"
#include "generate/manual_page.h"
#include "generate/output_file.h"

#include "base/error.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

static int make_folder(const char *out, const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", out, name);
    return mkdir(path, 0777) == 0 || errno == EEXIST ? 0
                                                     : trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path);
}

static int copy_template(FILE *out, const char *folder, const char *name)
{
    char path[PATH_MAX], bytes[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;)
        fwrite(bytes, 1, n, out);
    int rc = ferror(in) ? trace_error_set(TRACE_ERR_IO, "%s: cannot be read", path) : 0;
    fclose(in);
    return rc;
}

static int write_completion(const char *templates, const char *template, const char *folder, const char *name,
                            void (*put)(FILE *out))
{
    FILE *out;
    int rc = output_file_open(&out, "%s/%s", folder, name);
    if (rc != 0)
        return rc;
    if (template != NULL)
        rc = copy_template(out, templates, template);
    put(out);
    int closed = output_file_close(out, name);
    return rc != 0 ? rc : closed;
}

static int write_pages(const char *fragments, const char *folder)
{
    int rc = manual_page_write_overview(fragments, folder);
    for (const struct cli_command *const *c = cli_commands; rc == 0 && *c != NULL; ++c) {
        if ((*c)->group < CLI_GROUP_RECORD || (*c)->group >= CLI_GROUP_END)
            return trace_error_set(TRACE_ERR_USAGE, "command %s has no group", (*c)->name);
        rc = manual_page_write(*c, fragments, folder);
    }
    return rc;
}

/* Is NAME.1.in the hand-written part of some page? */
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
    DIR *folder = opendir(fragments);
    if (folder == NULL)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s", fragments);
    int rc = 0;
    for (const struct dirent *file; rc == 0 && (file = readdir(folder)) != NULL;)
        if (file->d_name[0] != '.' && !is_fragment_of_page(file->d_name))
            rc = trace_error_set(TRACE_ERR_USAGE, "%s/%s: belongs to no command", fragments, file->d_name);
    closedir(folder);
    return rc;
}

static int generate(const char *fragments, const char *templates, const char *out)
{
    char folder[PATH_MAX];
    int rc = check_fragments(fragments);
    if (rc != 0 || (rc = make_folder(out, "man1")) != 0 || (rc = make_folder(out, "completion")) != 0)
        return rc;
    snprintf(folder, sizeof folder, "%s/man1", out);
    if ((rc = write_pages(fragments, folder)) != 0)
        return rc;
    snprintf(folder, sizeof folder, "%s/completion", out);
    if ((rc = write_completion(templates, "completion.bash", folder, "trace-cli", completion_bash)) != 0 ||
        (rc = write_completion(templates, "completion.fish", folder, "trace-cli.fish", completion_fish)) != 0)
        return rc;
    return write_completion(templates, NULL, folder, "_trace-cli", completion_zsh);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: generate_docs FRAGMENTS TEMPLATES OUT\n", stderr);
        return 1;
    }
    return generate(argv[1], argv[2], argv[3]) == 0 ? 0 : cli_print_error();
}
