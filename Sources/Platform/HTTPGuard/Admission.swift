import HTTPKit
import Logging
import Metrics
import Synchronization

/// How many requests are worked on at a time, so that more of them than the service can do are refused at once, by an
/// answer that costs next to nothing, instead of making everybody wait.
///
/// A request takes a place in its lane when it is complete (`short`) or when its header is (`bulk`), and gives it back
/// with its answer's header, or when its handler ends: what streams after that, however long, holds none.
package final class Admission: Sendable {
    package enum Lane: String, Sendable {
        /// Work of milliseconds. A body is small and is there before a place is taken, so a slow sender holds none.
        case short
        /// Large bodies, which take as long as their sender's network.
        case bulk
        /// Never refused: what tells machines how the service is.
        case exempt
    }

    package struct Limits: Sendable {
        package var short = 256
        package var bulk = 256
        /// Small bodies that are not complete yet, all together.
        package var pendingBytes = 64 << 20

        package init() {}
    }

    /// Of requests to `short` that have a body; a longer one, or one of unknown length, makes a request `bulk`.
    static let maxSmallBody = 64 << 10

    package let limits: Limits
    let pending: BodyBudget
    private let short: Places
    private let bulk: Places
    private let routes: RouteTable
    private let hasRoom: @Sendable (_ bodyLength: Int?) -> Bool
    let log: OwnAnswerLog

    /// - Parameters:
    ///   - routes: the routes that are `.bulk` or `.exempt`. Every other request is `short`.
    ///   - hasRoom: whether the service has, besides a place, the resources that a `.bulk` route needs now. The length
    ///     of the body is nil if it is chunked.
    package init(
        limits: Limits = Limits(), logger: Logger,
        routes: RouteTable = RouteTable([]),
        hasRoom: @escaping @Sendable (_ bodyLength: Int?) -> Bool = { _ in true }
    ) {
        self.limits = limits
        self.routes = routes
        self.hasRoom = hasRoom
        pending = BodyBudget(maxBytes: limits.pendingBytes)
        short = Places(.short, limit: limits.short)
        bulk = Places(.bulk, limit: limits.bulk)
        log = OwnAnswerLog(logger: logger)
    }

    /// Refuses nobody.
    static let unlimited: Admission = {
        var limits = Limits()
        limits.short = .max
        limits.bulk = .max
        limits.pendingBytes = .max
        return Admission(limits: limits, logger: Logger(label: "http"))
    }()

    /// Requests that hold a place now.
    package func inFlight(_ lane: Lane) -> Int { places(lane)?.taken ?? 0 }

    func lane(method: String, target: String, body: BodyProgress) -> Lane {
        let traits = routes.traits(method: method, target: target)
        if traits.contains(.exempt) { return .exempt }
        if traits.contains(.bulk) { return .bulk }
        return body.awaitsContinue || (body.length ?? .max) > Self.maxSmallBody ? .bulk : .short
    }

    /// Whether a request would be refused now.
    func isFull(_ lane: Lane, method: String, target: String, body: BodyProgress) -> Bool {
        guard let places = places(lane) else { return false }
        if places.isFull { return true }
        return lane == .bulk && routes.traits(method: method, target: target).contains(.bulk)
            && !hasRoom(body.length)
    }

    /// Nil when there is no place left.
    func admit(_ lane: Lane) -> Place? {
        guard let places = places(lane) else { return Place(in: nil) }
        return places.enter() ? Place(in: places) : nil
    }

    /// Counts a request that is answered 503.
    func refused(_ lane: Lane) {
        places(lane)?.refusals.increment()
        log.refused()
    }

    private func places(_ lane: Lane) -> Places? {
        switch lane {
        case .short: short
        case .bulk: bulk
        case .exempt: nil
        }
    }

    /// A request's place, given back when it is released or goes away.
    final class Place: Sendable {
        private let places: Places?
        private let isReleased = Atomic(false)

        fileprivate init(in places: Places?) {
            self.places = places
        }

        func release() {
            if !isReleased.exchange(true, ordering: .relaxed) { places?.leave() }
        }

        deinit {
            release()
        }
    }

    /// The places of one lane: `dayly_http_admitted{lane}`, `dayly_http_admitted_limit{lane}` and
    /// `dayly_http_refused_total{lane}`.
    fileprivate final class Places: Sendable {
        let refusals: Counter
        private let limit: Int
        private let count = Atomic(0)
        private let gauge: Gauge

        init(_ lane: Lane, limit: Int) {
            self.limit = limit
            let labels = [("lane", lane.rawValue)]
            refusals = Counter(label: "dayly_http_refused_total", dimensions: labels)
            refusals.increment(by: 0)
            gauge = Gauge(label: "dayly_http_admitted", dimensions: labels)
            Gauge(label: "dayly_http_admitted_limit", dimensions: labels).record(limit)
        }

        var taken: Int { count.load(ordering: .relaxed) }
        var isFull: Bool { taken >= limit }

        func enter() -> Bool {
            let (_, now) = count.add(1, ordering: .relaxed)
            guard now <= limit else {
                count.subtract(1, ordering: .relaxed)
                return false
            }
            gauge.record(now)
            return true
        }

        func leave() {
            gauge.record(count.subtract(1, ordering: .relaxed).newValue)
        }
    }
}
