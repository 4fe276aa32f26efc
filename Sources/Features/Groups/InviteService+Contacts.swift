import Auth
import Postgres
import RateLimiting

/// A number with the text that it was asked for by.
package struct AskedNumber: Sendable {
    let text: String
    let number: PhoneNumber
}

/// Which of the numbers can be found here, for a contact picker.
package struct ContactCheck: Sendable {
    /// As they were asked for, in that order.
    package let existing: [String]
    package let needsInvite: [String]
}

extension InviteService {
    /// Looks the numbers up, each once, the caller's own left out. Who does not want to be found, and who blocks the
    /// caller or is blocked by him, is told apart from nobody: one look at the database is for all of them.
    ///
    /// Nothing is looked up once the numbers of the day are used up.
    /// - Throws: `GroupError.tooManyNumbers`, `RateLimited`.
    package func check(_ asked: [AskedNumber], by user: UserID) async throws -> ContactCheck {
        try await groups.postgres.transaction { transaction in
            let caller = try UserStore.lockUser(transaction, user)
            var seen: Set<PhoneNumber> = [caller.phoneNumber]
            let asked = asked.filter { seen.insert($0.number).inserted }
            guard asked.count <= rules.numbersPerCheck else {
                throw GroupError.tooManyNumbers(limit: rules.numbersPerCheck)
            }
            let limits = [rules.contactLimit(of: user)]
            if let limited = try rates.take(transaction, limits, amount: asked.count) { throw limited }
            let found = try store.discoverable(
                in: transaction, among: asked.map(\.number), for: caller)
            let isFound = { (asked: AskedNumber) in found.contains(asked.number.rawValue) }
            return ContactCheck(
                existing: asked.filter(isFound).map(\.text),
                needsInvite: asked.filter { !isFound($0) }.map(\.text))
        }
    }
}
