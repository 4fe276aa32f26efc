import Auth
import FeatureKit
import Postgres
import RateLimiting

/// A number with the text that the caller wrote for it.
struct AskedNumber: Sendable {
    let text: String
    let number: PhoneNumber
}

/// The numbers that a caller looks up: each text once, in the order of the request.
struct AskedNumbers: Sendable {
    let numbers: [AskedNumber]
    /// Texts that are not phone numbers, or numbers of a country that the service does not send to.
    let invalid: [String]
}

/// The numbers of users who can be found, and the others, for a contact picker. All are spelled and ordered as in the
/// request.
struct ContactCheck: Sendable {
    let existing: [String]
    let needsInvite: [String]
    let invalid: [String]
}

extension InvitationService {
    /// Looks each number up once, without the caller's own. One statement looks up all numbers, so that the caller cannot
    /// tell a user who does not want to be found, or who has a block with the caller, from a number without a user.
    ///
    /// A number counts once a day. When the day's quota is used up, nothing is looked up.
    ///
    /// - Throws: `GroupError.tooManyNumbers`, `RateLimited`.
    func check(_ asked: AskedNumbers, by user: UserID) async throws -> ContactCheck {
        try await groups.postgres.transaction { tx in
            let caller = try accounts.requireLocked(tx, user)
            var seen: Set<PhoneNumber> = [caller.phoneNumber]
            let numbers = asked.numbers.filter { seen.insert($0.number).inserted }
            guard numbers.count + asked.invalid.count <= rules.numbersPerCheck else {
                throw GroupError.tooManyNumbers(limit: rules.numbersPerCheck)
            }
            try count(tx, numbers.map(\.number), by: user)
            let found = try store.discoverable(
                tx, among: numbers.map(\.number), for: caller)
            let isFound = { (asked: AskedNumber) in found.contains(asked.number.rawValue) }
            return ContactCheck(
                existing: numbers.filter(isFound).map(\.text),
                needsInvite: numbers.filter { !isFound($0) }.map(\.text), invalid: asked.invalid)
        }
    }

    /// Takes the numbers that the caller has not looked up today from the day's quota.
    private func count(
        _ tx: PostgresTransaction, _ numbers: [PhoneNumber], by user: UserID
    ) throws {
        guard rates.enforced else { return }
        let contacts = ContactStore(postgres: groups.postgres)
        let known = try contacts.asked(tx, by: user)
        let new = numbers.map { blocks.hashes.tags(of: $0, askedBy: user) }
            .filter { known.isDisjoint(with: $0) }.compactMap(\.first)
        guard !new.isEmpty else { return }
        let limit = rules.contactLimit(of: user)
        if let limited = try rates.take(tx, [limit], amount: new.count) { throw limited }
        try contacts.remember(tx, new, by: user, for: limit.window)
    }
}
