/// The reason for which an upload waits or has stopped.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum UploadProblem: Sendable, Hashable {
    /// The service refused it with the code of a problem, such as `already_sent_today`.
    case refused(code: String)
    /// The item waited for a day: an older picture is not sent without asking.
    case tooOld
    /// The picture's file is not there.
    case pictureMissing
    /// A network's sign-in page or a proxy answers in the service's place.
    case networkAnswered
}

// On the disk it is one text. No code of the service is one of the queue's own.
extension UploadProblem: RawRepresentable, Codable {
    /// The code of the service's problem, or of the queue's.
    public var rawValue: String {
        switch self {
        case .refused(let code): code
        case .tooOld: "too_old"
        case .pictureMissing: "picture_missing"
        case .networkAnswered: "network_answered"
        }
    }

    public init(rawValue: String) {
        let own = [Self.tooOld, .pictureMissing, .networkAnswered]
        self = own.first { $0.rawValue == rawValue } ?? .refused(code: rawValue)
    }
}
