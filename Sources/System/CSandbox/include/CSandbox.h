// Gives up everything that a decoder never needs: files, network, new processes. Rights that the parent can take away are gone
// before the program starts; see CProcess.
#pragma once

/// From here on no other process of this user can look into this one, and a crash is its end: no dump of its
/// memory is written or piped anywhere (RLIMIT_CORE does not hold for pipes), no handler of the Swift runtime's
/// runs to start a debugger. 0, or -1.
int sandbox_prepare(void);

/// From here on only memory, the answer's descriptor and, where `with_threads` is not 0, threads of this process
/// are left: any other system call ends the process or is refused. 0, or -1 when the kernel refuses.
int sandbox_enter(int with_threads);
