import FeatureKit
import Auth
import Postgres
import RateLimiting

/// A number with the text that it was asked for by.
package struct AskedNumber: Sendable {
    let text: String
    let number: PhoneNumber
}

/// The numbers of a question: each text once, in the order of the question.
package struct AskedNumbers: Sendable {
    let numbers: [AskedNumber]
    /// Texts that are not phone numbers, or of a country that is not served.
    let invalid: [String]
}

/// Which of the numbers can be found here, for a contact picker. All are spelled and ordered as they were asked for.
package struct ContactCheck: Sendable {
    package let existing: [String]
    package let needsInvite: [String]
    package let invalid: [String]
}

extension InvitationService {
    /// Looks the numbers up, each once, the caller's own left out. Somebody who does not want to be found, and somebody
    /// who blocks the caller or is blocked by them, is not told apart from nobody: one look at the database is for all.
    ///
    /// A number counts once a day. Nothing is looked up once the numbers of the day are used up.
    /// - Throws: `GroupError.tooManyNumbers`, `RateLimited`.
    package func check(_ asked: AskedNumbers, by user: UserID) async throws -> ContactCheck {
        try await groups.postgres.transaction { transaction in
            let caller = try UserStore.lockUser(transaction, user)
            var seen: Set<PhoneNumber> = [caller.phoneNumber]
            let numbers = asked.numbers.filter { seen.insert($0.number).inserted }
            guard numbers.count + asked.invalid.count <= rules.numbersPerCheck else {
                throw GroupError.tooManyNumbers(limit: rules.numbersPerCheck)
            }
            try count(numbers.map(\.number), by: user, in: transaction)
            let found = try store.discoverable(
                in: transaction, among: numbers.map(\.number), for: caller)
            let isFound = { (asked: AskedNumber) in found.contains(asked.number.rawValue) }
            return ContactCheck(
                existing: numbers.filter(isFound).map(\.text),
                needsInvite: numbers.filter { !isFound($0) }.map(\.text), invalid: asked.invalid)
        }
    }

    /// Takes those numbers from the day's quota that the caller has not asked about today.
    private func count(
        _ numbers: [PhoneNumber], by user: UserID, in transaction: PostgresTransaction
    ) throws {
        guard rates.enforced else { return }
        let contacts = ContactStore()
        let known = try contacts.asked(transaction, by: user)
        let new = numbers.map { blocks.hashes.tags(of: $0, askedBy: user) }
            .filter { known.isDisjoint(with: $0) }.compactMap(\.first)
        guard !new.isEmpty else { return }
        let limit = rules.contactLimit(of: user)
        if let limited = try rates.take(transaction, [limit], amount: new.count) { throw limited }
        try contacts.remember(transaction, new, by: user, for: limit.window)
    }
}
