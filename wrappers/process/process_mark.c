/* SPDX-License-Identifier: MIT
 * Says which collector the process could still announce itself to, when it writes over its environment, as
 * servers do to show a title: a mapping that nobody reads, of a file whose name is in /proc/PID/maps. It
 * needs no descriptor, goes with forks, and ends with an exec.
 */
#include "process/connection.h"
#include "process/segment_source.h"
#include "process/setting.h"

#include <sys/mman.h>
#include <unistd.h>

/* While nothing of the program's runs that could miss a descriptor. */
__attribute__((constructor)) static void mark_process(void)
{
    const char *socket_path = setting_get(CONNECTION_ENVIRONMENT);
    char name[CONNECTION_MARK_SIZE];
    if (socket_path == NULL || segment_source_is_filtered())
        return;
    connection_mark_name(socket_path, name);
    int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd < 0)
        return;
    mmap(NULL, 1, PROT_NONE, MAP_SHARED, fd, 0);
    close(fd);
}
