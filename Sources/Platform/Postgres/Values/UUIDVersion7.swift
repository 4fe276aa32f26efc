import Foundation
import Synchronization

extension UUID {
    /// A time-ordered identifier (RFC 9562, section 5.7): milliseconds since 1970, a counter and 62 random bits. The
    /// identifiers of one process ascend.
    package static func version7() -> UUID {
        let (milliseconds, counter) = Version7Clock.shared.next(now: Date())
        return version7(
            milliseconds: milliseconds, counter: counter, random: .random(in: .min ... .max))
    }

    static func version7(milliseconds: UInt64, counter: UInt16, random: UInt64) -> UUID {
        let high = milliseconds << 16 | 0x7000 | UInt64(counter & 0xFFF)
        let low = random & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
        }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
                byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7),
                byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
                byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}

/// Milliseconds, and a counter within each of them that starts at a random number (RFC 9562, section 6.2, method 1).
/// Never goes back, even when the system's clock does.
final class Version7Clock: Sendable {
    static let shared = Version7Clock()

    private let last = Mutex<(milliseconds: UInt64, counter: UInt16)>((0, 0))

    func next(now: Date) -> (milliseconds: UInt64, counter: UInt16) {
        let milliseconds = UInt64(max(0, now.timeIntervalSince1970 * 1000))
        return last.withLock { last in
            if milliseconds > last.milliseconds {
                last = (milliseconds, .random(in: 0...0x7FF))
            } else if last.counter < 0xFFF {
                last.counter += 1
            } else {
                last = (last.milliseconds + 1, .random(in: 0...0x7FF))
            }
            return last
        }
    }
}
