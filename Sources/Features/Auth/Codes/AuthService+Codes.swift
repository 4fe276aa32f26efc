import DaylyAPI
import FeatureKit
import Foundation
import HTTPKit
import Logging
import Messaging
import Postgres
import RateLimiting

/// A code that is on its way, as the client sees it.
struct StartedVerification: Sendable {
    let id: VerificationID
    let expiresAt: Date
    let lifetime: Duration
    let resendAfter: Duration
    /// The limit that refuses the next code for a while; nil when the service does not count.
    let pause: RateLimit?
}

extension AuthService {
    /// Sends a code. It treats numbers of users and other numbers alike, so that the answer cannot tell them apart.
    ///
    /// - Parameter proof: the answer to the challenge of an earlier refusal. One that does not hold counts as none.
    func requestVerification(
        phoneNumber text: String, proof: WorkProof? = nil, from address: ClientAddress?
    ) async throws -> StartedVerification {
        do {
            let (number, facts) = try numbers.read(text)
            let recipient = Recipient(
                number: number, callingCode: facts.callingCode,
                review: configuration.reviewNumbers.first { $0.number == number })
            let subject = CodeRateLimits.subject(number, address)
            do {
                let proven = proof.flatMap { work.proven($0, for: subject) }
                let (started, decision) = try await startVerification(recipient, proven, from: address)
                CodeFirewall.count(decision)
                return started
            } catch let needed as CodeFirewall.WorkNeeded {
                CodeFirewall.count("work")
                throw AuthError.workNeeded(
                    firewall.rules.published(needed.refusal),
                    work.challenge(doublings: needed.doublings, for: subject, at: needed.at))
            }
        } catch let refusal as PhoneNumberRefusal {
            CodeFirewall.count("number_\(refusal.rawValue)")
            throw AuthError.invalidPhoneNumber
        } catch let refusal as RateLimited {
            CodeFirewall.count(refusal.scope.name)
            throw AuthError.rateLimited(firewall.rules.published(refusal))
        } catch let needed as AuthError {
            throw needed
        } catch {
            CodeFirewall.count(error is SMSQueueFull ? "queue_full" : "failed")
            throw error
        }
    }

    /// The phone that gets a code.
    private struct Recipient: Sendable {
        let number: PhoneNumber
        let callingCode: Int
        let review: ReviewNumber?
    }

    private func startVerification(
        _ recipient: Recipient, _ proven: ProvenWork?, from address: ClientAddress?
    ) async throws -> (StartedVerification, decision: String) {
        let id = VerificationID(.version7())
        let number = recipient.number
        let random = OneTimeCode.random()
        // Reserve the place in the queue first: when the queue is full, the request must store and count nothing.
        let place = try sms.reserve()
        let created: (expiresAt: Date, isReview: Bool)
        do {
            created = try await postgres.transaction { tx in
                try createVerification(tx, id, recipient, random, proven, from: address)
            }
        } catch let failing as CodeFirewall.PrefixFails {
            logger.warning("a number prefix was closed, because hardly anybody entered its codes")
            throw try await firewall.close(failing)
        }
        if created.isReview {
            logger.notice(
                "a client requested a code for a reviewer's number",
                metadata: ["verification": "\(id.rawValue)"])
        } else {
            place.send(message(random, id, to: number), kind: .code, lifetime: configuration.codeLifetime)
        }
        let started = StartedVerification(
            id: id, expiresAt: created.expiresAt, lifetime: configuration.codeLifetime,
            resendAfter: configuration.resendAfter,
            pause: limits.enforced ? firewall.rules.ofNumber(number).first : nil)
        return (started, created.isReview ? "review" : "sent")
    }

    private func createVerification(
        _ tx: PostgresTransaction, _ id: VerificationID, _ recipient: Recipient, _ random: OneTimeCode,
        _ proven: ProvenWork?, from address: ClientAddress?
    ) throws -> (expiresAt: Date, isReview: Bool) {
        let number = recipient.number
        let fixed = try openCode(tx, of: recipient.review)
        let isTrusted = try firewall.isTrusted(tx, number, from: address)
        let purpose: MessagePurpose =
            isTrusted ? .knownCode : .strangerCode(callingCode: recipient.callingCode)
        let admission = try firewall.admit(
            tx, number, from: address, isTrusted: isTrusted, for: fixed == nil ? purpose : nil, proven: proven
        )
        let code = fixed ?? random
        let expiresAt = try verifications.create(
            tx, id: id, number: number, codeHMAC: code.hmac(for: id, using: keys.codes),
            lifetime: configuration.codeLifetime, admission: admission, isReview: fixed != nil)
        // Take from the ceiling last: every other message waits for its lock.
        if fixed == nil { try limits.messages.takeOne(tx, for: purpose) }
        return (expiresAt, fixed != nil)
    }

    /// The fixed code of a reviewer's number; nil for any other number, and after the review's end by PostgreSQL's
    /// clock.
    private func openCode(_ tx: PostgresTransaction, of review: ReviewNumber?) throws -> OneTimeCode? {
        guard let review, review.isOpen(at: try tx.now()) else { return nil }
        return OneTimeCode(text: review.code)
    }

    private func message(_ code: OneTimeCode, _ id: VerificationID, to number: PhoneNumber) -> SMSMessage {
        let text = CodeMessage(host: configuration.host, androidHash: configuration.androidHash)
        return SMSMessage(id: id.rawValue, to: number.rawValue, body: text.text(for: code))
    }
}
