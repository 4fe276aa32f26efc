/// The price of a code to a stranger while a limit is near: so many bytes to hash that a cheap phone takes under a second.
///
/// A message is hashed as a whole, so that a browser spends its time in its own native SHA-256 and not in JavaScript, which
/// would be a hundred times slower than an attacker's program. `docs/threats.md` says what an attacker pays.
struct WorkPrice: Sendable {
    /// The part of the strangers' share of the ceiling that needs no work.
    var free = 0.5
    /// The length of a message.
    var bytes = 128 << 10
    /// The zero bits with which the digest of a message begins, at the lowest price.
    var bits = 8
    /// The number of such messages. Several have a steadier price than one of more bits.
    var count = 4
    /// How often the price doubles at most. A person still waits for the highest price, about a minute.
    var maxDoublings = 7
    /// The number of doublings between `free` and a used-up share.
    var steps = 10.0
    /// The time for which a challenge may be answered.
    var lifetime: Duration = .seconds(600)

    /// The doublings for a message when so much of the strangers' share is used; nil when it needs no work.
    func doublings(atUse use: Double) -> Int? {
        guard use >= free else { return nil }
        return min(maxDoublings, Int((use - free) / (1 - free) * steps))
    }
}
