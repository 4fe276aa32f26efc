import Testing

@testable import DailyPhotos

/// Guard: objects that failed before are claimed apart, in small batches (`SweepFlow`,
/// `ForgettingStore.claimDueObjects`)
@Suite("Which batches a sweep starts")
struct SweepFlowTests {
    private func batch(_ order: SweepFlow.Order, claimed: Int? = nil, seconds: Double = 0.5) -> SweepBatch {
        var batch = SweepBatch(order: order)
        batch.claimedObjects = claimed ?? order.size
        batch.duration = .seconds(seconds)
        return batch
    }

    private func kinds(_ orders: [SweepFlow.Order]) -> [DeletionClaim.Kind] { orders.map(\.kind) }

    @Test("a sweep starts one batch, then several, and retries when no fresh objects are left")
    func begin() throws {
        var flow = SweepFlow(maxBatchSize: 1000, maxFresh: 3)
        let first = flow.start()
        #expect(first == [.init(kind: .fresh, size: 100)])
        #expect(flow.start().isEmpty)
        flow.ended(batch(try #require(first.first)))
        let fresh = flow.start()
        #expect(kinds(fresh) == [.fresh, .fresh, .fresh])
        for order in fresh {
            #expect(flow.start().isEmpty)
            flow.ended(batch(order, claimed: 1))
        }
        #expect(kinds(flow.start()) == [.triedBefore])
        #expect(flow.start().isEmpty)
    }

    @Test("retries have a turn now and then, and more turns while they are fast")
    func turns() throws {
        var flow = SweepFlow(maxBatchSize: 1000, maxFresh: 1)
        flow.ended(batch(try #require(flow.start().first)))
        #expect(kinds(flow.start()) == [.fresh])
        flow.lookAgain()
        let quick = try #require(flow.start().first)
        #expect(quick == .init(kind: .triedBefore, size: 10))
        flow.ended(batch(quick, seconds: 0.01))
        let slow = try #require(flow.start().first)
        #expect(slow == .init(kind: .triedBefore, size: 40))
        flow.ended(batch(slow, seconds: 3))
        #expect(flow.start().isEmpty)
        flow.lookAgain()
        #expect(flow.start() == [.init(kind: .triedBefore, size: 10)])
    }

    @Test("each kind of batch runs until nothing is left, and both run again when there may be more")
    func end() throws {
        var flow = SweepFlow(maxBatchSize: 1000, maxFresh: 1)
        flow.ended(batch(try #require(flow.start().first), claimed: 99))
        flow.ended(batch(try #require(flow.start().first)))
        flow.ended(batch(try #require(flow.start().first), claimed: 0))
        #expect(flow.start().isEmpty)
        flow.lookAgain()
        #expect(Set(kinds(flow.start())) == [.fresh, .triedBefore])
    }

    @Test("batches grow while the store is fast, shrink while it is slow, and are never empty")
    func sizes() throws {
        var flow = SweepFlow(maxBatchSize: 1000, maxFresh: 1)
        var order = try #require(flow.start().first)
        var sizes = [order.size]
        for seconds in [0.1, 0.1, 0.5, 2, 2, 2, 2, 0.1] {
            flow.ended(batch(order, seconds: seconds))
            order = try #require(flow.start().first { $0.kind == .fresh })
            sizes.append(order.size)
        }
        #expect(sizes == [100, 400, 1000, 1000, 250, 62, 15, 10, 40])
    }

    @Test("while the store is down no batch is started")
    func down() throws {
        var flow = SweepFlow(maxBatchSize: 1000, maxFresh: 4)
        var failed = batch(try #require(flow.start().first))
        failed.storeFailure = "down"
        flow.ended(failed)
        #expect(flow.start().isEmpty && flow.isOver)
    }
}
