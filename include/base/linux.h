#ifndef BASE_LINUX_H
#define BASE_LINUX_H
/* What bursar takes from Linux beyond POSIX. A file that uses one of these includes this header (`make lint` holds it
 * to that), so that who carries bursar to a BSD or to macOS reads here what is to be replaced, and finds where.
 *
 * - inotify: a theme that changes, and notes that another program wrote, are loaded again while the console runs.
 * Instead: kqueue's EVFILT_VNODE.
 *
 * - memfd_create: a text for a child, or a frame held back, in a file without a name. Instead: an unlinked file, 0600.
 *
 * - /proc/self/fd: the terminal opened anew for one writer. Instead: ttyname_r.
 *
 * - /proc/self/exe: the program's own path. Instead: sysctl KERN_PROC_PATHNAME, or _NSGetExecutablePath.
 *
 * - /proc/PID/comm, /proc/locks: the name of the program that holds a lock. Without them its number alone is said.
 *
 * - /proc/PID/task, /proc/thread-self: in the tests, whether a program is at rest, and for how long a thread had no
 * processor. Instead: kvm_getprocs of BSD; without them those tests take silence for rest.
 *
 * - O_TMPFILE: whether a folder takes files, asked without leaving one; a file that ends with its program. Instead:
 * mkstemp and unlink.
 *
 * - renameat2 with RENAME_NOREPLACE: a finished file gets its name only where none has it. Without it link and unlink
 * do the same in two steps, as they do for file systems that cannot.
 *
 * - F_OFD_SETLK, F_OFD_GETLK: locks of a descriptor, so that two journals in one process do not undo each other's.
 * Instead: flock, which does not hold over NFS.
 *
 * - close_range, pipe2: descriptors that no child inherits. Instead: FD_CLOEXEC on each.
 *
 * - pidfd_open: the end of a program whose child still holds its output. Instead: kqueue's EVFILT_PROC; without it the
 * end of the output is waited for.
 *
 * - prctl: no core dump of a process that holds a token; a demo's service ends with its console. Instead: setrlimit of
 * RLIMIT_CORE, and a pipe that the service reads to its end.
 *
 * - eventfd: the sandbox's signal to stop. Instead: a pipe. */

#ifndef __linux__
#error "bursar runs on Linux; include/base/linux.h says what another system has to replace"
#endif

#endif
