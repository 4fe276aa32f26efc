/// The purpose of a text message. The ceiling keeps a part of itself for each.
package enum MessagePurpose: Sendable, Equatable {
    /// A code for an address that verified the number before.
    case knownCode
    /// A code for any other address, with the calling code of its number.
    case strangerCode(callingCode: Int)
    case invitation

    /// The value in `message_parts.part`; nil for messages that only `message_tally` counts.
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

/// The number of text messages within some time.
struct MessageCount: Equatable {
    var total = 0
    var strangers = 0
    /// The strangers' messages to one calling code.
    var toCallingCode = 0
    var invitations = 0

    static func - (left: Self, right: Self) -> Self {
        Self(
            total: left.total - right.total, strangers: left.strangers - right.strangers,
            toCallingCode: left.toCallingCode - right.toCallingCode,
            invitations: left.invitations - right.invitations)
    }
}

/// Divides a ceiling into parts, so that a caller who uses up one part does not close sign-in for all others.
///
/// A third is kept for codes to a known number from a known address. Invitations get at most a quarter, and codes for
/// strangers get the rest. Codes for known pairs may use all room that is free.
///
/// One calling code may use at most four times the room that it leaves free in the strangers' part (the dynamic threshold
/// of Choudhury and Hahne, 1998, for buffers of switches). So a single flooded calling code gets four fifths, two get
/// four ninths each, and however many are flooded, some room is left for the next one.
struct MessageShares {
    static let threshold = 4

    let ceiling: Int
    /// Whether calling codes share the strangers' part. False when the service sends to one calling code only.
    let isDividedByCallingCode: Bool

    var invitations: Int { max(1, ceiling / 4) }
    var strangers: Int { max(1, ceiling - ceiling / 3 - ceiling / 4) }

    /// The number of messages of a purpose that may still go out. Zero or less means none.
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

    /// How much of the parts that a message of a purpose needs is used, from 0 to 1.
    func use(of purpose: MessagePurpose, beside count: MessageCount) -> Double {
        let all = Self.part(count.total, of: ceiling)
        switch purpose {
        case .knownCode: return all
        case .invitation: return max(all, Self.part(count.invitations, of: invitations))
        case .strangerCode:
            return max(all, Self.part(count.strangers, of: strangers), useOfCallingCode(beside: count))
        }
    }

    /// The part of the ceiling that a message of a purpose uses up first: the end of its scope's name, and its size.
    func scarcest(for purpose: MessagePurpose, beside count: MessageCount) -> (suffix: String, limit: Int) {
        switch purpose {
        case _ where count.total >= ceiling: return ("", ceiling)
        case .knownCode: return ("", ceiling)
        case .invitation: return (".invitations", invitations)
        case .strangerCode
        where Self.part(count.strangers, of: strangers) >= useOfCallingCode(beside: count):
            return (".strangers", strangers)
        case .strangerCode: return (".calling_code", count.toCallingCode)
        }
    }

    private func useOfCallingCode(beside count: MessageCount) -> Double {
        guard isDividedByCallingCode else { return 0 }
        return Self.part(count.toCallingCode, of: count.toCallingCode + roomOfCallingCode(beside: count))
    }

    private static func part(_ used: Int, of whole: Int) -> Double {
        min(1, Double(used) / Double(max(1, whole)))
    }

    /// The largest number of messages after which the calling code has used at most `threshold` times the free room.
    private func roomOfCallingCode(beside count: MessageCount) -> Int {
        let allowed = Self.threshold * (strangers - count.strangers + 1) - count.toCallingCode
        return allowed >= 0 ? allowed / (1 + Self.threshold) : 0
    }
}
