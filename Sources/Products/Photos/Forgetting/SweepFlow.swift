/// Decides which batches a sweep starts, and how large they are.
///
/// The first batch runs alone, so that a sweep costs one attempt while the store is unavailable. After it several batches of
/// fresh objects run in parallel. Objects whose deletion was tried before run in one batch at a time, when no fresh objects
/// are left. While fresh objects are left, they get a batch after each recheck, and further ones as long as these are quick.
/// So neither kind waits for the other, even if a store takes long to delete objects that are already gone, as sweepers that
/// were killed leave behind. Batches begin small and grow to the size that the store deletes in about a second, so that
/// little work is repeated after a sweeper was killed.
struct SweepFlow {
    struct Order: Sendable, Equatable {
        let kind: DeletionClaim.Kind
        let size: Int
    }

    private static let smallest = 10
    private static let quick: Duration = .milliseconds(250)
    private static let slow: Duration = .seconds(1)

    private let maxBatchSize: Int
    private let maxFresh: Int
    /// No batch has ended yet.
    private var isFirstBatch = true
    private var freshSize: Int
    private var triedSize: Int
    private var freshRunning = 0
    private var triedRunning = 0
    private var isFreshDone = false
    private var isTriedDone = false
    /// Whether a batch of objects that were tried before may start although fresh objects are left.
    private var mayRetryBesideFresh = false
    private(set) var isOver = false

    init(maxBatchSize: Int, maxFresh: Int) {
        self.maxBatchSize = maxBatchSize
        self.maxFresh = maxFresh
        freshSize = min(maxBatchSize, Self.smallest * 10)
        triedSize = min(maxBatchSize, Self.smallest)
    }

    /// The batches to start now. They count as running from this call on.
    mutating func start() -> [Order] {
        guard !isOver else { return [] }
        var orders: [Order] = []
        if !isFreshDone {
            let most = isFirstBatch ? 1 : maxFresh
            orders = Array(
                repeating: Order(kind: .fresh, size: freshSize), count: max(0, most - freshRunning))
        }
        let mayRetry = mayRetryBesideFresh || isFreshDone && freshRunning == 0
        if mayRetry, !isTriedDone, triedRunning == 0 {
            orders.append(Order(kind: .triedBefore, size: triedSize))
        }
        freshRunning += orders.count { $0.kind == .fresh }
        triedRunning += orders.count { $0.kind == .triedBefore }
        return orders
    }

    mutating func ended(_ batch: SweepBatch) {
        isFirstBatch = false
        let isFull = batch.claimedObjects == batch.order.size
        switch batch.order.kind {
        case .fresh:
            freshRunning -= 1
            if !isFull { isFreshDone = true }
            freshSize = size(after: batch)
        case .triedBefore:
            triedRunning -= 1
            if !isFull { isTriedDone = true }
            mayRetryBesideFresh = batch.duration < Self.quick
            triedSize = size(after: batch)
        }
        if batch.storeFailure != nil { stop() }
    }

    /// Assumes that more objects of both kinds are due by now.
    mutating func lookAgain() {
        isFreshDone = false
        isTriedDone = false
        mayRetryBesideFresh = true
    }

    /// Starts no further batches.
    mutating func stop() { isOver = true }

    private func size(after batch: SweepBatch) -> Int {
        let size = batch.order.size
        if batch.duration > Self.slow { return max(min(Self.smallest, maxBatchSize), size / 4) }
        return batch.duration < Self.quick ? min(maxBatchSize, size * 4) : size
    }
}

/// The result of one batch.
struct SweepBatch: Sendable {
    let order: SweepFlow.Order
    var claimedObjects = 0
    /// Objects that were deleted for the first time.
    var deletedObjects = 0
    /// Objects that are not due any more, including those that were deleted a second time.
    var finishedObjects = 0
    var failedObjects = 0
    var deletedPhotos = 0
    var storeFailure: String?
    var duration: Duration = .zero

    init(order: SweepFlow.Order) {
        self.order = order
    }
}
