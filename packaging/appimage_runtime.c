/* The head of our AppImage: a static program that finds the squashfs behind itself and starts `AppRun` in it.
 *
 * It does what the specification of AppImages asks of a head of type 2 (docs.appimage.org, "AppImage
 * specification"): the letters AI\x02 at byte 8, which packaging/appimage.py writes; the image mounted by
 * FUSE; APPIMAGE, APPDIR, ARGV0 and OWD in the environment; and
 *
 *     --appimage-offset            where the image begins, in bytes
 *     --appimage-extract           unpack into ./squashfs-root
 *     --appimage-extract-and-run   unpack into a folder for this run, as does APPIMAGE_EXTRACT_AND_RUN=1
 *
 * Where nothing can be mounted it unpacks for this run by itself, and says so.
 *
 * The process that was started becomes AppRun, so that signals and the exit status are its own. A child serves
 * the mount until that process has ended. Made of Debian's static libraries:
 *
 *     cc -static -o runtime appimage_runtime.c -lsquashfuse_ll -lfuse3 -lz -llzma -lzstd -llz4 -llzo2 -lpthread
 */

#define _GNU_SOURCE
#define FUSE_USE_VERSION 32
#include <squashfuse/ll.h>
#include <squashfuse/squashfuse.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SELF "/proc/self/exe"
#define FAILED 127

static void stop(const char *what, const char *which) {
    fprintf(stderr, "AppImage: %s %s: %s\n", what, which, strerror(errno));
    exit(FAILED);
}

static char *text(const char *format, ...) {
    char *made;
    va_list parts;
    va_start(parts, format);
    if (vasprintf(&made, format, parts) < 0) {
        stop("no memory for", format);
    }
    va_end(parts);
    return made;
}

/* The image begins where the program ends: behind its table of sections, which the linker writes last. */
static long image_offset(void) {
    Elf64_Ehdr head;
    int file = open(SELF, O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, &head, sizeof head) != sizeof head) {
        stop("cannot read", SELF);
    }
    close(file);
    return (long)(head.e_shoff + (Elf64_Off)head.e_shentsize * head.e_shnum);
}

static char *temporary_folder(const char *name) {
    const char *place = getenv("TMPDIR");
    char *folder = text("%s/%sXXXXXX", place && *place ? place : "/tmp", name);
    if (mkdtemp(folder) == NULL) {
        stop("cannot make", folder);
    }
    return folder;
}

/* ---- unpacked ---- */

static void write_all(int file, const char *part, size_t size, const char *path) {
    while (size > 0) {
        ssize_t written = write(file, part, size);
        if (written <= 0) {
            errno = written < 0 ? errno : ENOSPC;
            stop("cannot write", path);
        }
        part += written;
        size -= (size_t)written;
    }
}

static void unpack_file(sqfs *image, sqfs_inode *inode, const char *path) {
    static char part[1 << 20];
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, inode->base.mode & 0777);
    if (file < 0) {
        stop("cannot write", path);
    }
    sqfs_off_t size = (sqfs_off_t)inode->xtra.reg.file_size;
    for (sqfs_off_t done = 0; done < size;) {
        sqfs_off_t here = sizeof part;
        if (sqfs_read_range(image, inode, done, &here, part) != SQFS_OK || here <= 0) {
            errno = EIO;
            stop("cannot read the image for", path);
        }
        write_all(file, part, (size_t)here, path);
        done += here;
    }
    close(file);
}

static void unpack_entry(sqfs *image, sqfs_inode *inode, const char *path) {
    char target[PATH_MAX];
    size_t size = sizeof target;
    if (S_ISDIR(inode->base.mode)) {
        if (mkdir(path, 0755) != 0 && errno != EEXIST) {
            stop("cannot make", path);
        }
    } else if (S_ISLNK(inode->base.mode)) {
        if (sqfs_readlink(image, inode, target, &size) != SQFS_OK || symlink(target, path) != 0) {
            stop("cannot link", path);
        }
    } else if (S_ISREG(inode->base.mode)) {
        unpack_file(image, inode, path);
    }
}

static void unpack(long offset, const char *folder) {
    sqfs image;
    sqfs_fd_t file = open(SELF, O_RDONLY | O_CLOEXEC);
    sqfs_traverse walk;
    sqfs_err error = SQFS_OK;
    if (file < 0 || sqfs_init(&image, file, (size_t)offset) != SQFS_OK
        || sqfs_traverse_open(&walk, &image, sqfs_inode_root(&image)) != SQFS_OK) {
        stop("cannot open", "the image");
    }
    while (sqfs_traverse_next(&walk, &error)) {
        sqfs_inode inode;
        if (walk.dir_end) {
            continue;
        }
        if (sqfs_inode_get(&image, &inode, walk.entry.inode) != SQFS_OK) {
            stop("cannot read", walk.path);
        }
        char *path = text("%s/%s", folder, walk.path);
        unpack_entry(&image, &inode, path);
        free(path);
    }
    if (error != SQFS_OK) {
        errno = EIO;
        stop("cannot read", "the image");
    }
    sqfs_traverse_close(&walk);
    close(file);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *level) {
    (void)info, (void)kind, (void)level;
    remove(path);
    return 0; /* what cannot be removed keeps nothing else */
}

/* ---- mounted ---- */

struct watch {
    int process;
    struct fuse_session *session;
};

static void *end_with_process(void *given) {
    struct watch *watch = given;
    struct pollfd ended = {.fd = watch->process, .events = POLLIN};
    while (poll(&ended, 1, -1) < 0 && errno == EINTR) {
    }
    fuse_session_exit(watch->session);
    fuse_session_unmount(watch->session); /* the loop's read ends with it */
    return NULL;
}

/* Mount, say so by `told`, and serve until the process has ended; never returns. */
static void serve(long offset, const char *folder, pid_t process, int told) {
    char *options[] = {"AppImage", "-o", "ro,nodev,nosuid,fsname=AppImage"};
    struct fuse_args args = FUSE_ARGS_INIT(3, options);
    struct fuse_lowlevel_ops ops = {
        .lookup = sqfs_ll_op_lookup, .forget = sqfs_ll_op_forget, .getattr = sqfs_ll_op_getattr,
        .readlink = sqfs_ll_op_readlink, .open = sqfs_ll_op_open, .read = sqfs_ll_op_read,
        .release = sqfs_ll_op_release, .opendir = sqfs_ll_op_opendir, .readdir = sqfs_ll_op_readdir,
        .releasedir = sqfs_ll_op_releasedir, .listxattr = sqfs_ll_op_listxattr,
        .getxattr = sqfs_ll_op_getxattr, .statfs = stfs_ll_op_statfs,
    };
    sqfs_ll_chan channel;
    pthread_t thread;
    sqfs_ll *image = sqfs_ll_open(SELF, (size_t)offset);
    struct watch watch = {.process = (int)syscall(SYS_pidfd_open, process, 0)};
    setsid();
    if (image == NULL || watch.process < 0
        || sqfs_ll_mount(&channel, folder, &args, &ops, sizeof ops, image) != SQFS_OK) {
        _exit(FAILED);
    }
    watch.session = channel.session;
    if (pthread_create(&thread, NULL, end_with_process, &watch) != 0 || write(told, "m", 1) != 1) {
        fuse_session_unmount(channel.session);
        _exit(FAILED);
    }
    close(told);
    int nothing = open("/dev/null", O_RDWR);
    for (int number = 0; number < 3; number++) {
        dup2(nothing, number); /* or whoever reads our output would wait for this process, too */
    }
    fuse_session_loop(channel.session);
    pthread_join(thread, NULL);
    rmdir(folder);
    _exit(0);
}

static int mount_image(long offset, const char *folder) {
    int told[2];
    char word = 0;
    if (pipe2(told, O_CLOEXEC) != 0) {
        return 0;
    }
    pid_t process = getpid();
    pid_t server = fork();
    if (server == 0) {
        close(told[0]);
        /* A grandchild: AppRun would be asked to wait for a child that it does not know. */
        if (fork() == 0) {
            serve(offset, folder, process, told[1]);
        }
        _exit(0);
    }
    close(told[1]);
    waitpid(server, NULL, 0);
    int mounted = server > 0 && read(told[0], &word, 1) == 1;
    close(told[0]);
    return mounted;
}

/* ---- started ---- */

static void become(const char *folder, char **arguments) {
    char *program = text("%s/AppRun", folder);
    setenv("APPDIR", folder, 1);
    arguments[0] = program;
    execv(program, arguments);
    stop("cannot start", program);
}

static const int passed[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
static pid_t running;

static void pass_on(int number) {
    kill(running, number);
}

/* The child unpacks and becomes AppRun; we take the folder away when it has ended, wherever that was. */
static int run_unpacked(long offset, char **arguments) {
    int status = 0;
    sigset_t held, before;
    struct sigaction passing = {.sa_handler = pass_on}, earlier[sizeof passed / sizeof *passed];
    sigemptyset(&held);
    for (size_t number = 0; number < sizeof passed / sizeof *passed; number++) {
        sigaddset(&held, passed[number]);
    }
    sigprocmask(SIG_BLOCK, &held, &before); /* until it is known whom they are passed on to */
    char *folder = temporary_folder(".appimage_");
    for (size_t number = 0; number < sizeof passed / sizeof *passed; number++) {
        sigaction(passed[number], &passing, &earlier[number]);
    }
    running = fork();
    if (running == 0) {
        for (size_t number = 0; number < sizeof passed / sizeof *passed; number++) {
            sigaction(passed[number], &earlier[number], NULL); /* what is ignored by nohup stays so */
        }
        sigprocmask(SIG_SETMASK, &before, NULL);
        unpack(offset, folder);
        become(folder, arguments);
    }
    int failure = errno;
    if (running > 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        while (waitpid(running, &status, 0) < 0 && errno == EINTR) {
        }
    }
    nftw(folder, remove_one, 64, FTW_DEPTH | FTW_PHYS);
    if (running < 0) {
        errno = failure;
        stop("cannot start a process for", folder);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int count, char **arguments) {
    char image[PATH_MAX] = "", here[PATH_MAX] = "";
    long offset = image_offset();
    const char *wish = count > 1 ? arguments[1] : "";
    if (strcmp(wish, "--appimage-offset") == 0) {
        printf("%ld\n", offset);
        return 0;
    }
    if (strcmp(wish, "--appimage-extract") == 0) {
        if (mkdir("squashfs-root", 0755) != 0) {
            stop("cannot make", "squashfs-root");
        }
        unpack(offset, "squashfs-root");
        return 0;
    }
    if (readlink(SELF, image, sizeof image - 1) < 0) {
        stop("cannot read", SELF);
    }
    setenv("APPIMAGE", image, 1);
    setenv("ARGV0", arguments[0], 1);
    if (getcwd(here, sizeof here) != NULL) {
        setenv("OWD", here, 1);
    }
    const char *unpacked = getenv("APPIMAGE_EXTRACT_AND_RUN");
    if (strcmp(wish, "--appimage-extract-and-run") == 0) {
        arguments[1] = arguments[0];
        return run_unpacked(offset, arguments + 1);
    }
    if (unpacked != NULL && *unpacked) {
        return run_unpacked(offset, arguments);
    }
    char *folder = temporary_folder(".mount_");
    if (mount_image(offset, folder)) {
        become(folder, arguments);
    }
    rmdir(folder);
    fprintf(stderr, "AppImage: it cannot be mounted here (FUSE is missing); it is unpacked for this run\n");
    return run_unpacked(offset, arguments);
}
