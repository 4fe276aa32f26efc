// Gives up every right that a decoder does not need: files, network, new processes. The parent removes other rights before
// the program starts; see CProcess.
#pragma once

/// Prevents other processes of this user from reading this process, and makes a crash end it at once: the kernel writes no
/// core dump, not even to a pipe (to which RLIMIT_CORE does not apply), and no handler of the Swift runtime starts a
/// debugger. Returns 0, or -1.
int sandbox_prepare(void);

/// Allows only the system calls for memory, for the answer's descriptor and, if `with_threads` is not 0, for threads. Any
/// other system call fails or kills the process. Returns 0, or -1 when the kernel refuses the filter.
int sandbox_enter(int with_threads);
