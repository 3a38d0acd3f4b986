/* A disk that is slow, forgetful and full, put in front of the C library (LD_PRELOAD).
 *
 * Only files in a folder named "appendonlydir" are touched.
 * DISK_NOTES: after each finished fsync or fdatasync one line "<length> <path>": how much of the file is safe now.
 *             The length is taken before the sync begins; what is written meanwhile is not promised to be safe.
 * DISK_DELAY: a file with the milliseconds that a sync takes; read at each.
 * DISK_FULL:  while this file exists, writing fails with ENOSPC.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef int (*sync_function)(int);
typedef ssize_t (*write_function)(int, const void *, size_t);

static int is_ours(int fd, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, size - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, "appendonlydir/") != NULL;
}

static void wait_as_told(void) {
    const char *file = getenv("DISK_DELAY");
    char text[32] = {0};
    int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return;
    if (read(fd, text, sizeof text - 1) < 0) text[0] = 0;
    close(fd);
    long ms = atol(text);
    struct timespec left = {ms / 1000, (ms % 1000) * 1000000L};
    while (ms > 0 && nanosleep(&left, &left) != 0 && errno == EINTR) {}
}

static int sync_slowly(int fd, const char *name) {
    char path[4096], line[4200];
    struct stat before;
    sync_function real = (sync_function)dlsym(RTLD_NEXT, name);
    const char *notes = getenv("DISK_NOTES");
    if (!notes || !is_ours(fd, path, sizeof path) || fstat(fd, &before) != 0) return real(fd);
    wait_as_told();
    int result = real(fd), error = errno;
    int out = result == 0 ? open(notes, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (out >= 0) {
        int length = snprintf(line, sizeof line, "%lld %s\n", (long long)before.st_size, path);
        write_function write_out = (write_function)dlsym(RTLD_NEXT, "write");
        if (write_out(out, line, (size_t)length) < 0) abort();
        close(out);
    }
    errno = error;
    return result;
}

int fsync(int fd) { return sync_slowly(fd, "fsync"); }

int fdatasync(int fd) { return sync_slowly(fd, "fdatasync"); }

ssize_t write(int fd, const void *data, size_t size) {
    static write_function real;
    char path[4096];
    const char *full = getenv("DISK_FULL");
    if (!real) real = (write_function)dlsym(RTLD_NEXT, "write");
    if (full && access(full, F_OK) == 0 && is_ours(fd, path, sizeof path)) {
        errno = ENOSPC;
        return -1;
    }
    return real(fd, data, size);
}
