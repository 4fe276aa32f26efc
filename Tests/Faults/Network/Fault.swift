/// The service's dependencies, each behind a proxy.
package enum Link: String, Sendable, CaseIterable {
    case database, store, messages, pushes
}

/// A fault of one request on its way.
package enum Fault: Sendable, Equatable, CustomStringConvertible {
    case none
    case delay(Duration)
    /// Nothing comes back, and it never arrives.
    case hang
    /// The connection breaks, and it never arrives.
    case reset
    /// It arrives and is carried out, and the connection breaks before the answer.
    case replyLost
    /// It never arrives; this status comes back, with an S3 error in XML or with nothing.
    case status(Int, xml: Bool)
    /// It never arrives; 200 comes back as if it had.
    case keptNothing
    /// Nothing comes back, and it arrives after this time, whoever has given up meanwhile.
    case late(Duration)

    package var description: String {
        switch self {
        case .none: "nothing"
        case .delay(let time): "delay of \(time)"
        case .hang: "hang"
        case .reset: "reset"
        case .replyLost: "reply lost"
        case .status(let status, let xml): "\(status)\(xml ? " with XML" : "")"
        case .keptNothing: "200 with nothing kept"
        case .late(let time): "effect \(time) late"
        }
    }
}

/// One request on its way: a statement (its rounds up to Sync), or an HTTP request.
package struct Passing: Sendable {
    package let link: Link
    /// For people: the SQL, or method and path.
    package let what: String
}
