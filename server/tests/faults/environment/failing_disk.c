/* A disk that fails as a test says: preloaded into the server, it counts the calls that change the data folder, and
 * lets some of them fail. The test steers it through a mapped file while the server runs.
 *
 * It has the calls that the server and SQLite make; `strace` shows which. Reading never fails. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define NOTED 512

/* The layout is that of `failing_disk.rs`. */
struct control {
    _Atomic uint64_t calls;      /* so many were made */
    _Atomic uint64_t first;      /* the first one that fails; 0: none does */
    _Atomic uint64_t last;       /* the last one */
    _Atomic uint64_t error;      /* the errno that they fail with */
    _Atomic uint64_t failed;     /* so many have failed */
    char what[NOTED][128];       /* the first calls: name and path of each */
};

static struct control *control;
static char folder[PATH_MAX];

__attribute__((constructor)) static void prepare(void) {
    const char *file = getenv("PRELOADED_CONTROL");
    const char *below = getenv("FAILING_DISK_FOLDER");
    if (!file || !below) return;
    snprintf(folder, sizeof folder, "%s", below);
    int fd = open(file, O_RDWR | O_CLOEXEC);
    if (fd < 0) return;
    void *map = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map != MAP_FAILED) control = map;
}

static int is_below(const char *path) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* Path of a descriptor. Empty: it has none. */
static void path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = 0;
}

static void path_at(int dir, const char *name, char *path) {
    if (name[0] == '/' || dir == AT_FDCWD) {
        snprintf(path, PATH_MAX, "%s", name);
        return;
    }
    path_of(dir, path);
    size_t length = strlen(path);
    snprintf(path + length, PATH_MAX - length, "/%s", name);
}

static int fails(const char *call, const char *path) {
    if (!control || !is_below(path)) return 0;
    uint64_t number = atomic_fetch_add(&control->calls, 1) + 1;
    if (number <= NOTED)
        snprintf(control->what[number - 1], sizeof control->what[0], "%s %s", call, path + strlen(folder));
    uint64_t first = atomic_load(&control->first);
    if (first == 0 || number < first || number > atomic_load(&control->last)) return 0;
    atomic_fetch_add(&control->failed, 1);
    errno = (int)atomic_load(&control->error);
    return 1;
}

static int fails_at(const char *call, int dir, const char *name) {
    char path[PATH_MAX];
    path_at(dir, name, path);
    return fails(call, path);
}

static int fd_fails(const char *call, int fd) {
    char path[PATH_MAX];
    int before = errno;
    if (!control) return 0;
    path_of(fd, path);
    if (fails(call, path)) return 1;
    errno = before;
    return 0;
}

/* An existing file can be opened for writing on a full disk, but not on one that is read-only. */
static int open_fails(int dir, const char *name, int flags) {
    if (!control || (flags & O_ACCMODE) == O_RDONLY) return 0;
    char path[PATH_MAX];
    path_at(dir, name, path);
    int creates = (flags & O_CREAT) && access(path, F_OK) != 0;
    if (!creates && atomic_load(&control->error) != EROFS) return 0;
    return fails("open", path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define ON_DESCRIPTOR(type, name, parameters, ...)                                                                     \
    type name parameters {                                                                                             \
        if (fd_fails(#name, fd)) return -1;                                                                            \
        return REAL(name)(fd, ##__VA_ARGS__);                                                                          \
    }

ON_DESCRIPTOR(ssize_t, write, (int fd, const void *bytes, size_t length), bytes, length)
ON_DESCRIPTOR(ssize_t, writev, (int fd, const struct iovec *slices, int count), slices, count)
ON_DESCRIPTOR(ssize_t, pwrite64, (int fd, const void *bytes, size_t length, off64_t at), bytes, length, at)
ON_DESCRIPTOR(int, fdatasync, (int fd))
ON_DESCRIPTOR(int, ftruncate64, (int fd, off64_t length), length)

/* What could not be synced is lost: the kernel marks its pages clean. The server syncs objects and folders by this
 * call, SQLite its files by the other one. */
int fsync(int fd) {
    if (!fd_fails("fsync", fd)) return REAL(fsync)(fd);
    int error = errno;
    (void)!REAL(ftruncate64)(fd, 0);
    errno = error;
    return -1;
}

/* A full disk has room for a time. */
int futimens(int fd, const struct timespec times[2]) {
    if (control && atomic_load(&control->error) == EROFS && fd_fails("futimens", fd)) return -1;
    return REAL(futimens)(fd, times);
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                       \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        mode_t mode = va_arg(arguments, mode_t);                                                                       \
        va_end(arguments);                                                                                             \
        if (open_fails(AT_FDCWD, path, flags)) return -1;                                                              \
        return REAL(name)(path, flags, mode);                                                                          \
    }

OPEN(open)
OPEN(open64)

int openat64(int dir, const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = va_arg(arguments, mode_t);
    va_end(arguments);
    if (open_fails(dir, path, flags)) return -1;
    return REAL(openat64)(dir, path, flags, mode);
}

int mkdir(const char *path, mode_t mode) {
    /* An existing folder is told as one by a full disk, too. */
    if (access(path, F_OK) != 0 && fails_at("mkdir", AT_FDCWD, path)) return -1;
    return REAL(mkdir)(path, mode);
}

int rename(const char *from, const char *to) {
    if (fails_at("rename", AT_FDCWD, to)) return -1;
    return REAL(rename)(from, to);
}

int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags) {
    if (fails_at("linkat", to_dir, to)) return -1;
    return REAL(linkat)(from_dir, from, to_dir, to, flags);
}

int unlink(const char *path) {
    if (fails_at("unlink", AT_FDCWD, path)) return -1;
    return REAL(unlink)(path);
}

int unlinkat(int dir, const char *path, int flags) {
    if (fails_at("unlinkat", dir, path)) return -1;
    return REAL(unlinkat)(dir, path, flags);
}

int rmdir(const char *path) {
    if (fails_at("rmdir", AT_FDCWD, path)) return -1;
    return REAL(rmdir)(path);
}
