/// The purpose of a text message. The ceiling keeps parts of itself apart for these.
package enum MessagePurpose: Sendable, Equatable {
    /// A code for an address that verified the number before.
    case knownCode
    /// A code for any other address, with the calling code of its number.
    case strangerCode(callingCode: Int)
    case invitation

    /// As `message_parts` has it; nil for messages that are only in the tally.
    var part: String? {
        switch self {
        case .knownCode: nil
        case .strangerCode: "stranger"
        case .invitation: "invitation"
        }
    }

    var callingCode: Int {
        if case .strangerCode(let callingCode) = self { callingCode } else { 0 }
    }
}

/// The text messages of a time.
struct MessageCount: Equatable {
    var total = 0
    var strangers = 0
    /// The strangers' messages that went to one calling code.
    var toCallingCode = 0
    var invitations = 0

    static func - (left: Self, right: Self) -> Self {
        Self(
            total: left.total - right.total, strangers: left.strangers - right.strangers,
            toCallingCode: left.toCallingCode - right.toCallingCode,
            invitations: left.invitations - right.invitations)
    }
}

/// Divides a ceiling, so that nobody who spends one part of it closes sign-in for the others.
///
/// A third is kept for codes to known pairs of number and address. Invitations get a quarter at most, strangers' codes
/// what is left. Known pairs may use all that is free.
///
/// A calling code may use at most four times what it leaves free of the strangers' part (the dynamic threshold of
/// Choudhury and Hahne, 1998, for buffers of switches). So one calling code gets four fifths, two get four ninths
/// each, and however many are flooded, there is room for one that is not.
struct MessageShares {
    static let threshold = 4

    let ceiling: Int
    /// Whether calling codes share the strangers' part. False where only one is served.
    let isDividedByCallingCode: Bool

    var invitations: Int { max(1, ceiling / 4) }
    var strangers: Int { max(1, ceiling - ceiling / 3 - ceiling / 4) }

    /// How many more messages of a purpose may go out; zero or less: none.
    func room(for purpose: MessagePurpose, beside count: MessageCount) -> Int {
        let free = ceiling - count.total
        switch purpose {
        case .knownCode: return free
        case .invitation: return min(free, invitations - count.invitations)
        case .strangerCode:
            let part = min(free, strangers - count.strangers)
            return isDividedByCallingCode ? min(part, roomOfCallingCode(beside: count)) : part
        }
    }

    /// The limit that leaves no room: the end of its scope's name, with its size.
    func exhausted(by purpose: MessagePurpose, beside count: MessageCount) -> (suffix: String, limit: Int)? {
        guard room(for: purpose, beside: count) <= 0 else { return nil }
        switch purpose {
        case _ where count.total >= ceiling: return ("", ceiling)
        case .knownCode: return ("", ceiling)
        case .invitation: return (".invitations", invitations)
        case .strangerCode where count.strangers >= strangers: return (".strangers", strangers)
        case .strangerCode: return (".calling_code", count.toCallingCode)
        }
    }

    /// The most messages after which the calling code has not used more than `threshold` times what is left free.
    private func roomOfCallingCode(beside count: MessageCount) -> Int {
        let allowed = Self.threshold * (strangers - count.strangers + 1) - count.toCallingCode
        return allowed >= 0 ? allowed / (1 + Self.threshold) : 0
    }
}
