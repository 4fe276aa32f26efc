// A worker under the control of a hostile picture. Test only.
#pragma once

// The exit code of an attempt that nothing stops: this, or HOSTILE_REFUSED and the kernel's errno.
#define HOSTILE_SUCCEEDED 99
#define HOSTILE_REFUSED 100

/// Resources that must be taken before the sandbox begins.
typedef struct {
    int parent;
} hostile_preparation;

/// Makes the attempt. Returns only if its name is unknown.
void hostile_try(const char *attempt, const hostile_preparation *prepared);

/// Prints the number of every system call that does not end a process in the sandbox.
int hostile_sweep(int with_threads);
