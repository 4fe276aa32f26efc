import Dispatch
import Foundation
import Synchronization

/// Threads that start processes and wait for them, so that no other thread blocks. They live as long as the processor,
/// because the kernel kills such a child with the *thread* that started it, not with the process.
final class WorkerThreads: Sendable {
    private final class Queue: Sendable {
        let jobs = Mutex<[@Sendable () -> Void]>([])
        let closed = Mutex(false)
        let ready = DispatchSemaphore(value: 0)

        func work() {
            while true {
                ready.wait()
                let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                if let job {
                    job()
                } else if closed.withLock({ $0 }) {
                    return
                }
            }
        }
    }

    private let queue = Queue()
    private let count: Int

    init(count: Int) {
        self.count = max(1, count)
        for index in 0..<self.count {
            let thread = Thread { [queue] in queue.work() }
            thread.name = "photo-\(index)"
            thread.start()
        }
    }

    deinit {
        queue.closed.withLock { $0 = true }
        for _ in 0..<count { queue.ready.signal() }
    }

    /// Runs blocking work on the next free thread.
    func run(_ job: @escaping @Sendable () -> Void) {
        queue.jobs.withLock { $0.append(job) }
        queue.ready.signal()
    }
}
