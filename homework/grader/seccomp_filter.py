"""The system calls that code in the sandbox may not make, as a seccomp filter for bubblewrap.

Namespaces alone leave ways around the sandbox. Shared memory escapes a limit on memory; locks and keys carry messages
from one run to the next, because both runs open the same files; a new namespace brings rights that the run gave up.
Calculations need none of these calls.
"""

import ctypes
import errno
import os
from functools import cache

LIBRARY_NAME = "libseccomp.so.2"
ALLOW, DENY = 0x7FFF0000, 0x00050000  # the error number is added to DENY
GREATER, MASKED_EQUAL = 6, 7  # comparisons of an argument
UNKNOWN = -1

DENIED = {
    "messages to other runs, or to later ones": "add_key keyctl request_key flock mincore "
    "fadvise64 readahead preadv2 pwritev2 "
    "fanotify_init fanotify_mark inotify_add_watch inotify_init inotify_init1 inotify_rm_watch",
    "memory that no process owns": "memfd_create ipc shmat shmctl shmdt shmget semctl semget semop semtimedop "
    "msgctl msgget msgrcv msgsnd mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink",
    "other namespaces": "unshare setns chroot mount pivot_root umount umount2 name_to_handle_at open_by_handle_at",
    "other processes, and the inside of the kernel": "bpf kcmp perf_event_open personality process_vm_readv "
    "process_vm_writev ptrace userfaultfd",
    "the whole machine": "acct adjtimex clock_adjtime clock_settime delete_module finit_module init_module ioperm iopl "
    "kexec_file_load kexec_load lookup_dcookie quotactl reboot setdomainname sethostname settimeofday stime swapoff "
    "swapon syslog vhangup",
}
# An older libseccomp does not know these by name. Since Linux 5.1 a new call has the same number on every machine.
DENIED_SINCE_2019 = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "memfd_secret": 447,
    "cachestat": 451,
    "statmount": 457,
    "listmount": 458,
    "open_tree_attr": 467,
}
CLONE3 = 435
NEW_NAMESPACE = (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)  # of clone
LOCKS_LEASES_AND_NOTES = (5, 6, 7, 36, 37, 38, 1024, 1025, 1026)  # F_GETLK to F_NOTIFY, of fcntl
TYPED_INPUT = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX, of ioctl
AF_INET6 = 10  # families above it, netlink for one, speak to the kernel
INT = 0xFFFFFFFF  # the kernel ignores the upper half of an argument of type int, so the filter must, too


class Comparison(ctypes.Structure):
    """libseccomp's struct scmp_arg_cmp."""

    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


@cache
def load_library() -> ctypes.CDLL:
    """The system's libseccomp; OSError if it is not installed."""
    library = ctypes.CDLL(LIBRARY_NAME)
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [ctypes.c_uint32]
    library.seccomp_release.argtypes = [ctypes.c_void_p]
    library.seccomp_syscall_resolve_name.argtypes = [ctypes.c_char_p]
    library.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.POINTER(Comparison),
    ]
    library.seccomp_export_bpf.argtypes = [ctypes.c_void_p, ctypes.c_int]
    return library


def open_filter() -> int:
    """A file descriptor from which bubblewrap reads the filter; whoever opens it closes it."""
    library = load_library()
    rules = library.seccomp_init(ALLOW)
    descriptor = os.memfd_create("seccomp")
    try:
        for call, comparisons, error in _denied_calls():
            array = (Comparison * len(comparisons))(*comparisons)
            _check(library.seccomp_rule_add_array(rules, DENY + error, call, len(comparisons), array))
        _check(library.seccomp_export_bpf(rules, descriptor))
    except OSError:
        os.close(descriptor)
        raise
    finally:
        library.seccomp_release(rules)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _denied_calls():
    """Numbers of calls, the comparisons of an argument that must hold for a call to be denied, and its error."""
    for name in " ".join(DENIED.values()).split():
        yield _number(name), (), errno.EPERM
    for number in DENIED_SINCE_2019.values():
        yield number, (), errno.EPERM
    # A filter cannot read the flags of clone3. Without it, the C library takes clone.
    yield CLONE3, (), errno.ENOSYS
    for flag in NEW_NAMESPACE:
        yield _number("clone"), (Comparison(0, MASKED_EQUAL, flag, flag),), errno.EPERM
    locks = LOCKS_LEASES_AND_NOTES
    for name, commands in (("fcntl", locks), ("fcntl64", locks), ("ioctl", TYPED_INPUT)):
        for command in commands:
            yield _number(name), (Comparison(1, MASKED_EQUAL, INT, command),), errno.EPERM
    yield _number("socket"), (Comparison(0, GREATER, AF_INET6),), errno.EPERM


def _number(name: str) -> int:
    number = load_library().seccomp_syscall_resolve_name(name.encode())
    if number == UNKNOWN:
        raise OSError(f"libseccomp is too old to know the system call {name}")
    return number


def _check(outcome: int) -> None:
    if outcome < 0:
        raise OSError(-outcome, f"libseccomp: {os.strerror(-outcome)}")
