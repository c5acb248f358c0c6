/* SPDX-License-Identifier: MIT
 * Disk space is allocated before it is used: writing to memory of a file that finds no space would kill the
 * program.
 */
#include "xray/store_file.h"

#include "process/kernel_call.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LARGEST          ((uint64_t)32 << 30) /* in bytes; what is not used only takes addresses */
#define SMALLEST         ((uint64_t)4 << 20)
#define SEGMENT_CHUNKS   32u /* that are allocated at once */
#define SEGMENT_SIZE     (SEGMENT_CHUNKS * XRAY_CHUNK_SIZE)
#define FIRST_DESCRIPTOR 900 /* above the descriptor numbers that the program may rely on */

static const uint32_t nobody;
const uint32_t *store_file_is_ours = &nobody;

static struct {
    struct xray_store *store;
    uint64_t size; /* of the mapping, in bytes */
    int fd;
    dev_t device;
    ino_t inode;
    _Atomic uint64_t allocated; /* chunks, with the header's */
    uint32_t *owner;            /* a page that the kernel clears in forked processes */
} file = {.fd = -1};

#define CALL(number, ...) call_kernel(number, (const long[6]){__VA_ARGS__})

/* The program may have closed the descriptor, and given its number to a file of its own. */
static bool has_file(void)
{
    struct stat st;
    return CALL(SYS_fstat, file.fd, (long)&st) == 0 && st.st_dev == file.device && st.st_ino == file.inode;
}

/* The kernel returns an error where writing would raise a signal. Before Linux 5.14, only the file system can
 * be asked, which needs the descriptor. */
static bool find_room(uint64_t offset)
{
    uint8_t *memory = (uint8_t *)file.store + offset;
    if (CALL(SYS_mprotect, (long)memory, SEGMENT_SIZE, PROT_READ | PROT_WRITE) != 0)
        return false;
    long rc = -EINVAL;
#ifdef MADV_POPULATE_WRITE
    rc = CALL(SYS_madvise, (long)memory, SEGMENT_SIZE, MADV_POPULATE_WRITE);
#endif
    if (rc == -EINVAL)
        rc = has_file() ? CALL(SYS_fallocate, file.fd, 0, (long)offset, SEGMENT_SIZE) : -EBADF;
    return rc == 0;
}

/* Several threads may allocate the same segment, which does no harm. Waiting for each other would: a signal
 * handler may have interrupted the one that is waited for. */
static bool allocate_up_to(uint64_t chunk)
{
    uint64_t allocated = atomic_load(&file.allocated);
    while (allocated <= chunk) {
        uint64_t offset = allocated * XRAY_CHUNK_SIZE;
        if (offset + SEGMENT_SIZE > file.size || !find_room(offset))
            return false;
        if (atomic_compare_exchange_strong(&file.allocated, &allocated, allocated + SEGMENT_CHUNKS))
            allocated += SEGMENT_CHUNKS;
    }
    return true;
}

struct xray_chunk *store_file_take_chunk(void)
{
    if (atomic_load_explicit(&file.store->state, memory_order_relaxed) == XRAY_STORE_FULL)
        return NULL;
    uint64_t index = 1 + atomic_fetch_add(&file.store->chunks, 1);
    if (!allocate_up_to(index)) {
        atomic_store(&file.store->state, XRAY_STORE_FULL);
        return NULL;
    }
    return (struct xray_chunk *)((uint8_t *)file.store + index * XRAY_CHUNK_SIZE);
}

void store_file_stop(void)
{
    if (*store_file_is_ours == 0)
        return;
    atomic_store(&file.store->state, XRAY_STORE_STOPPED);
    *file.owner = 0;
}

/* The names count up, so that trace-cli knows in which order the processes have started. */
static int create_file(const char *directory)
{
    char name[PATH_MAX + 32];
    int fd = -1;
    for (unsigned i = 0; fd < 0 && i < UINT_MAX; ++i) {
        snprintf(name, sizeof name, "%s/" XRAY_STORE_NAME ".%u", directory, i);
        fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST)
            return -1;
    }
    int high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

/* Exceeding the limit of file sizes would raise a signal. */
static uint64_t largest_size(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < LARGEST
               ? limit.rlim_cur / SEGMENT_SIZE * SEGMENT_SIZE
               : LARGEST;
}

/* The memory cannot be used before it is allocated, so that a program that locks all its memory does not get
 * all of it. */
static bool map_file(void)
{
    void *memory = MAP_FAILED;
    for (file.size = largest_size(); file.size >= SMALLEST && memory == MAP_FAILED; file.size /= 2)
        if (ftruncate(file.fd, (off_t)file.size) == 0)
            memory = mmap(NULL, file.size, PROT_NONE, MAP_SHARED, file.fd, 0);
    if (memory == MAP_FAILED)
        return false;
    file.size *= 2; /* as it was in the last round */
    file.store = memory;
    madvise(memory, file.size, MADV_DONTDUMP);
    atomic_store(&file.allocated, 0);
    return allocate_up_to(0);
}

/* The store belongs to the processes that share this page's memory: not to forked ones. */
static bool make_owner_page(void)
{
    if (file.owner == NULL) {
        void *page =
            mmap(NULL, sizeof *file.owner, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED || madvise(page, sizeof *file.owner, MADV_WIPEONFORK) != 0)
            return false;
        file.owner = page;
    }
    return true;
}

static void fill_header(void)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(path, '/');
    struct xray_store *s = file.store;
    s->magic = XRAY_STORE_MAGIC;
    s->process = getpid();
    snprintf(s->program, sizeof s->program, "%.*s", NAME_MAX, slash != NULL ? slash + 1 : path);
    atomic_store(&s->state, XRAY_STORE_STARTING);
}

/* The lock is released when no process has the file open or mapped any more. */
struct xray_store *store_file_create(const char *directory)
{
    struct stat st;
    if (file.store != NULL) {
        munmap(file.store, file.size);
        if (has_file())
            close(file.fd);
        file.store = NULL;
    }
    file.fd = create_file(directory);
    if (file.fd < 0 || fstat(file.fd, &st) != 0 || flock(file.fd, LOCK_EX) != 0)
        return NULL;
    file.device = st.st_dev;
    file.inode = st.st_ino;
    if (!make_owner_page() || !map_file())
        return NULL;
    fill_header();
    *file.owner = 1;
    store_file_is_ours = file.owner;
    return file.store;
}
