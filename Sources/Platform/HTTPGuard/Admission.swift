import HTTPKit
import Logging
import Metrics
import NIOHTTP1
import Resilience

/// Bounds the requests that are worked on at a time. The service refuses the rest at once, with an answer that costs next
/// to nothing, instead of making every client wait.
///
/// A request takes a place in its lane when it is complete (`short`) or when its header is (`bulk`). It gives the place
/// back with its answer's header, or when its handler ends: an answer that streams holds no place, however long it takes.
package final class Admission: Sendable {
    package typealias Place = Gate.Place

    package enum Lane: String, Sendable {
        /// Work of milliseconds. The body is small and complete before the request takes a place, so that a slow sender
        /// holds none.
        case short
        /// Large bodies, which take as long as their sender's network.
        case bulk
        /// Requests of machines that ask how the service is. They are never refused.
        case exempt
    }

    package struct Limits: Sendable {
        package var short = 256
        package var bulk = 256
        /// The bytes of all small bodies that are not complete yet.
        package var pendingBytes = 64 << 20

        package init() {}
    }

    /// A request with a longer body, or one of unknown length, is in the `bulk` lane.
    static let maxSmallBody = 64 << 10

    package let limits: Limits
    let pending: BodyBudget
    let log: OwnAnswerLog
    private let short: LaneGate
    private let bulk: LaneGate
    private let exempt = Gate(limit: .max)
    private let routes: RouteTable
    private let hasRoom: @Sendable (_ bodyLength: Int?) -> Bool

    /// - Parameters:
    ///   - routes: the routes that are `.bulk` or `.exempt`. Every other request is `short` unless its body is large.
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
        short = LaneGate(.short, limit: limits.short)
        bulk = LaneGate(.bulk, limit: limits.bulk)
        log = OwnAnswerLog(logger: logger)
    }

    /// Refuses no request.
    static let unlimited: Admission = {
        var limits = Limits()
        limits.short = .max
        limits.bulk = .max
        limits.pendingBytes = .max
        return Admission(limits: limits, logger: Logger(label: "http"))
    }()

    /// The requests that hold a place now.
    package func inFlight(_ lane: Lane) -> Int { gate(lane).taken }

    /// A request whose header has just arrived, with its lane.
    func incoming(_ head: HTTPRequestHead) -> ConnectionState.IncomingRequest {
        let body = BodyProgress(of: head, now: .now)
        return .init(head: head, lane: lane(of: head, body), body: body)
    }

    private func lane(of head: HTTPRequestHead, _ body: BodyProgress) -> Lane {
        let traits = traits(of: head)
        if traits.contains(.exempt) { return .exempt }
        if traits.contains(.bulk) { return .bulk }
        return body.awaitsContinue || (body.length ?? .max) > Self.maxSmallBody ? .bulk : .short
    }

    /// Whether the request would be refused now.
    func isFull(for request: ConnectionState.IncomingRequest) -> Bool {
        if gate(request.lane).isFull { return true }
        return request.lane == .bulk && traits(of: request.head).contains(.bulk)
            && !hasRoom(request.body.length)
    }

    /// - Returns: nil if the lane has no place left.
    func admit(_ lane: Lane) -> Place? { gate(lane).enter() }

    /// Counts a request that is answered 503.
    func refused(_ lane: Lane) {
        switch lane {
        case .short: short.refusals.increment()
        case .bulk: bulk.refusals.increment()
        case .exempt: break
        }
        log.refused()
    }

    private func traits(of head: HTTPRequestHead) -> Set<Route.Trait> {
        routes.traits(method: head.method.rawValue, target: head.uri)
    }

    private func gate(_ lane: Lane) -> Gate {
        switch lane {
        case .short: short.gate
        case .bulk: bulk.gate
        case .exempt: exempt
        }
    }
}

/// The places of one lane: `dayly_http_admitted{lane}`, `dayly_http_admitted_limit{lane}` and
/// `dayly_http_refused_total{lane}`.
private struct LaneGate: Sendable {
    let gate: Gate
    let refusals: Counter

    init(_ lane: Admission.Lane, limit: Int) {
        let labels = [("lane", lane.rawValue)]
        refusals = Counter(label: "dayly_http_refused_total", dimensions: labels)
        refusals.increment(by: 0)
        let admitted = Gauge(label: "dayly_http_admitted", dimensions: labels)
        Gauge(label: "dayly_http_admitted_limit", dimensions: labels).record(limit)
        gate = Gate(limit: limit) { admitted.record($0) }
    }
}
