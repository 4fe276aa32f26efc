// photo-worker: turns one untrusted picture into a photo, a thumbnail and a placeholder, in a process that can do nothing
// else. It reads descriptor 0 and writes descriptor 1; see photo_worker.h. A hostile picture can harm only this process.

import CProcess
import CSandbox
import Glibc
import PhotoDecoding

func work() throws(WorkerFailure) {
    guard let limits = WorkerLimits(arguments: Array(CommandLine.arguments.dropFirst())) else {
        throw .notSetUp
    }
    guard sandbox_prepare() == 0 else { throw .notSetUp }
    let size = lseek(0, 0, SEEK_END)
    guard size >= 0 else { throw .notSetUp }
    guard size > 0 else { throw .unsupported }
    // The server has sealed the file, so it cannot shrink while it is mapped.
    guard let map = mmap(nil, size, PROT_READ, MAP_PRIVATE, 0, 0), map != MAP_FAILED else { throw .notSetUp }
    let bytes = Bytes(UnsafeRawBufferPointer(start: map, count: size))
    // Two threads halve a phone's wait. More would gain little and cost memory: the server runs as many workers as it has
    // cores, so under load each core has a picture of its own anyway.
    let pipeline = PhotoPipeline(limits: limits, threads: min(2, Int(process_core_count())))
    pipeline.prepare(for: bytes)
    if limits.isSandboxed {
        guard sandbox_enter(ImageFormat.mayNeedThreads(bytes) ? 1 : 0) == 0 else { throw .sandboxRefused }
    }

    let result = try pipeline.run(bytes, recognised: Answer.announce)
    guard Answer.give(result) else { throw .outOfMemory }
}

do throws(WorkerFailure) {
    try work()
    _exit(Int32(photo_worker_exit.done.rawValue))
} catch {
    _exit(Int32(error.exitCode.rawValue))
}
