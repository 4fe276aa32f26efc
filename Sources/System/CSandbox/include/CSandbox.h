// Gives up what a decoder never needs: files, network, new processes.
#pragma once

/// Ends this process when the thread that started it ends, and makes privileges impossible to regain.
/// 0, or -1.
int sandbox_bind_to_parent(void);

/// From here on only memory, threads of this process and its open descriptors are left: any other system
/// call ends the process. 0, or -1 when the kernel refuses.
int sandbox_enter(void);
