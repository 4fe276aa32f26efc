/// Decides which batches a sweep starts, and how large they are.
///
/// The first batch goes alone: while the store is down, a sweep costs one attempt. After it several of fresh objects are
/// under way at once. Objects that were tried before follow when no fresh ones are left, one batch at a time; while there
/// are, they get a turn now and then, and more for as long as they are quick. So neither kind waits for the other, even
/// where a store takes long over objects that are gone already, which is what sweepers that are killed leave behind.
/// Batches begin small and are as large as the store deletes in about a second: so the next sweeper gets on, however
/// soon this one is killed.
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
    /// The first batch is under way, or not even that.
    private var isFeelingItsWay = true
    private var freshSize: Int
    private var triedSize: Int
    private var freshRunning = 0
    private var triedRunning = 0
    private var isFreshThrough = false
    private var isTriedThrough = false
    /// Whether what was tried before has a turn though fresh objects are left.
    private var isTriedsTurn = false
    private(set) var isOver = false

    init(maxBatchSize: Int, maxFresh: Int) {
        self.maxBatchSize = maxBatchSize
        self.maxFresh = maxFresh
        freshSize = min(maxBatchSize, Self.smallest * 10)
        triedSize = min(maxBatchSize, Self.smallest)
    }

    /// What to start now, as under way from here on.
    mutating func start() -> [Order] {
        guard !isOver else { return [] }
        var orders: [Order] = []
        if !isFreshThrough {
            let most = isFeelingItsWay ? 1 : maxFresh
            orders = Array(
                repeating: Order(kind: .fresh, size: freshSize), count: max(0, most - freshRunning))
        }
        let triedMay = isTriedsTurn || isFreshThrough && freshRunning == 0
        if triedMay, !isTriedThrough, triedRunning == 0 {
            orders.append(Order(kind: .triedBefore, size: triedSize))
        }
        freshRunning += orders.count { $0.kind == .fresh }
        triedRunning += orders.count { $0.kind == .triedBefore }
        return orders
    }

    mutating func ended(_ batch: SweepBatch) {
        isFeelingItsWay = false
        let isFull = batch.claimedObjects == batch.order.size
        switch batch.order.kind {
        case .fresh:
            freshRunning -= 1
            if !isFull { isFreshThrough = true }
            freshSize = size(after: batch)
        case .triedBefore:
            triedRunning -= 1
            if !isFull { isTriedThrough = true }
            isTriedsTurn = batch.duration < Self.quick
            triedSize = size(after: batch)
        }
        if batch.storeFailure != nil { stop() }
    }

    /// More may be due by now, of either kind.
    mutating func lookAgain() {
        isFreshThrough = false
        isTriedThrough = false
        isTriedsTurn = true
    }

    /// Nothing more is started.
    mutating func stop() { isOver = true }

    private func size(after batch: SweepBatch) -> Int {
        let size = batch.order.size
        if batch.duration > Self.slow { return max(min(Self.smallest, maxBatchSize), size / 4) }
        return batch.duration < Self.quick ? min(maxBatchSize, size * 4) : size
    }
}

/// What became of one claim.
struct SweepBatch: Sendable {
    let order: SweepFlow.Order
    var claimedObjects = 0
    /// Objects deleted for the first time.
    var deletedObjects = 0
    /// Objects that are not due any more, second deletions included.
    var settledObjects = 0
    var failedObjects = 0
    var deletedPhotos = 0
    var storeFailure: String?
    var duration: Duration = .zero

    init(order: SweepFlow.Order) {
        self.order = order
    }
}
