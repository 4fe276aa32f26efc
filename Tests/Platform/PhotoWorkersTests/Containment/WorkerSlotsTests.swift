import DaylyTesting
import Foundation
import Synchronization
import Testing

@testable import PhotoWorkers

/// Guard: the workers' queue is bounded, a cancelled waiter leaves it (`WorkerSlots`)
@Suite("Worker slots")
struct WorkerSlotsTests {
    private final class Depth: Sendable {
        let value = Mutex(0)
        func wait(for wanted: Int) async throws {
            try await eventually(every: .milliseconds(1)) { value.withLock { $0 } == wanted }
        }
    }

    private final class Order: Sendable {
        let value = Mutex<[Int]>([])
    }

    /// Guard: an upload that no decoder could take is refused before its body (`WorkerSlots.isFull`,
    /// `PhotoRoutes.hasRoom`)
    /// Guard: a received picture waits for a decoder and is not refused (`WorkerSlots.enqueue`, `maxQueued`
    /// in `ServerConfiguration.init`)
    @Test("slots report that they are full before they refuse pictures")
    func full() async throws {
        let depth = Depth()
        let slots = WorkerSlots(count: 1, queueSize: 1, maxWaiting: 2) { count in
            depth.value.withLock { $0 = count }
        }
        #expect(!slots.isFull)
        try await slots.acquire()
        #expect(!slots.isFull)
        let waiter = Task { try await slots.acquire() }
        try await depth.wait(for: 1)
        #expect(slots.isFull)
        // A picture that arrives nevertheless waits for its turn.
        let late = Task { try await slots.acquire() }
        try await depth.wait(for: 2)
        slots.release()
        try await waiter.value
        #expect(slots.isFull)
        slots.release()
        try await late.value
        #expect(!slots.isFull)
        slots.release()
    }

    @Test("waiting pictures are admitted in order")
    func order() async throws {
        let depth = Depth()
        let slots = WorkerSlots(count: 1, queueSize: 8) { count in depth.value.withLock { $0 = count } }
        try await slots.acquire()
        let order = Order()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 1...5 {
                group.addTask {
                    try await slots.acquire()
                    order.value.withLock { $0.append(index) }
                    slots.release()
                }
                try await depth.wait(for: index)
            }
            slots.release()
            try await group.waitForAll()
        }
        #expect(order.value.withLock { $0 } == [1, 2, 3, 4, 5])
    }

    /// Guard: senders take turns at the workers (`WorkerSlots.takeNext`)
    @Test("a sender of many pictures waits for them, and a sender of one does not", arguments: [1, 2])
    func turns(count: Int) async throws {
        let depth = Depth()
        let slots = WorkerSlots(count: count, queueSize: 8) { count in depth.value.withLock { $0 = count } }
        let (greedy, other, third) = (UUID(), UUID(), UUID())
        for _ in 1..<count { try await slots.acquire(for: UUID()) }
        try await slots.acquire(for: greedy)
        let order = Order()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, sender) in [greedy, greedy, greedy, other, other, third].enumerated() {
                group.addTask {
                    try await slots.acquire(for: sender)
                    order.value.withLock { $0.append(index) }
                    slots.release(for: sender)
                }
                try await depth.wait(for: index + 1)
            }
            slots.release(for: greedy)
            try await group.waitForAll()
        }
        // The first picture of every other sender comes before further pictures of the greedy sender.
        #expect(order.value.withLock { $0.prefix(2) } == [3, 5])
        #expect(order.value.withLock { $0.count } == 6)
    }

    /// Guard: the last free worker is kept for a sender who has none (`WorkerSlots.mayBegin`)
    @Test("the last free worker is kept for a sender who has none", arguments: [2, 4])
    func lastWorker(count: Int) async throws {
        let depth = Depth()
        let slots = WorkerSlots(count: count, queueSize: 8) { count in depth.value.withLock { $0 = count } }
        let (greedy, other) = (UUID(), UUID())
        for _ in 1..<count { try await slots.acquire(for: greedy) }
        let next = Task { try await slots.acquire(for: greedy) }
        try await depth.wait(for: 1)
        // Another sender does not wait, and keeps the slot as long as needed.
        try await slots.acquire(for: other)
        slots.release(for: other)
        #expect(depth.value.withLock { $0 } == 1)
        slots.release(for: greedy)
        try await next.value
    }

    /// Guard: one sender cannot fill the workers' queue (`WorkerSlots.acquire`)
    @Test("one sender does not fill the queue")
    func greed() async throws {
        let depth = Depth()
        let slots = WorkerSlots(count: 1, queueSize: 4) { count in depth.value.withLock { $0 = count } }
        let (greedy, other) = (UUID(), UUID())
        try await slots.acquire(for: greedy)
        let waiting = (1...3).map { _ in Task { try await slots.acquire(for: greedy) } }
        try await depth.wait(for: 3)
        await #expect(throws: PhotoWorkerError.overloaded) { try await slots.acquire(for: greedy) }
        let theirs = Task { try await slots.acquire(for: other) }
        try await depth.wait(for: 4)
        slots.release(for: greedy)
        try await theirs.value
        for task in waiting { task.cancel() }
        for task in waiting { _ = await task.result }
        slots.release(for: other)
        try await slots.acquire()
    }

    @Test("one more than may wait is refused")
    func overflow() async throws {
        let depth = Depth()
        let slots = WorkerSlots(count: 1, queueSize: 1) { count in depth.value.withLock { $0 = count } }
        try await slots.acquire()
        let waiting = Task { try await slots.acquire() }
        try await depth.wait(for: 1)
        await #expect(throws: PhotoWorkerError.overloaded) { try await slots.acquire() }
        slots.release()
        try await waiting.value
        slots.release()
        try await slots.acquire()
    }

    @Test("a cancelled picture leaves the queue, and the next is served")
    func cancellation() async throws {
        let depth = Depth()
        let slots = WorkerSlots(count: 1, queueSize: 2) { count in depth.value.withLock { $0 = count } }
        try await slots.acquire()
        let first = Task { try await slots.acquire() }
        try await depth.wait(for: 1)
        let second = Task { try await slots.acquire() }
        try await depth.wait(for: 2)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(depth.value.withLock { $0 } == 1)
        slots.release()
        try await second.value
    }
}
