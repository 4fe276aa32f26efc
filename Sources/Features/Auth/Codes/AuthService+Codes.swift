import FeatureKit
import Foundation
import HTTPKit
import Logging
import Messaging
import Postgres
import RateLimiting

/// What is said about a code that is on its way.
struct StartedVerification: Sendable {
    let id: VerificationID
    let expiresAt: Date
    let lifetime: Duration
    let resendAfter: Duration
    /// What bars the next code for a while; nil where nothing is counted.
    let pause: RateLimit?
}

extension AuthService {
    /// Sends a code. Whether the number belongs to a user plays no part, so nothing about the answer can tell.
    func requestVerification(
        phoneNumber text: String, from address: ClientAddress?
    ) async throws -> StartedVerification {
        do {
            let (number, facts) = try numbers.read(text)
            let recipient = Recipient(
                number: number, callingCode: facts.callingCode,
                review: configuration.reviewNumbers.first { $0.number == number })
            let (started, decision) = try await startVerification(recipient, from: address)
            CodeFirewall.count(decision)
            return started
        } catch let refusal as PhoneNumberRefusal {
            CodeFirewall.count("number_\(refusal.rawValue)")
            throw AuthError.invalidPhoneNumber
        } catch let refusal as RateLimited {
            CodeFirewall.count(refusal.scope)
            throw AuthError.rateLimited(firewall.rules.told(refusal))
        } catch {
            CodeFirewall.count(error is SMSQueueFull ? "queue_full" : "failed")
            throw error
        }
    }

    /// Whom a code is for.
    private struct Recipient: Sendable {
        let number: PhoneNumber
        let callingCode: Int
        let review: ReviewNumber?
    }

    private func startVerification(
        _ recipient: Recipient, from address: ClientAddress?
    ) async throws -> (StartedVerification, decision: String) {
        let id = VerificationID(.version7())
        let number = recipient.number
        let random = OneTimeCode.random()
        // The place in the queue comes first: where there is none, nothing is kept and nothing is counted.
        let place = try sms.reserve()
        let created: (expiresAt: Date, isReview: Bool)
        do {
            created = try await postgres.transaction { tx in
                try createVerification(tx, id, recipient, random, from: address)
            }
        } catch let failing as CodeFirewall.PrefixFails {
            logger.warning("a number prefix was closed: hardly any of its codes came to use")
            throw try await firewall.close(failing)
        }
        if created.isReview {
            logger.notice(
                "a code for a reviewer's number was asked for", metadata: ["verification": "\(id.rawValue)"])
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
        from address: ClientAddress?
    ) throws -> (expiresAt: Date, isReview: Bool) {
        let number = recipient.number
        let fixed = try open(recipient.review, tx)
        let isTrusted = try firewall.isTrusted(tx, number, from: address)
        let purpose: MessagePurpose =
            isTrusted ? .knownCode : .strangerCode(callingCode: recipient.callingCode)
        let admission = try firewall.admit(
            tx, number, from: address, isTrusted: isTrusted, for: fixed == nil ? purpose : nil)
        let code = fixed ?? random
        let expiresAt = try VerificationStore.create(
            tx, id: id, number: number, codeHMAC: code.hmac(for: id, using: keys.codes),
            lifetime: configuration.codeLifetime, admission: admission, isReview: fixed != nil)
        // Last, because everybody waits for who holds it.
        if fixed == nil { try limits.messages.takeOne(tx, for: purpose) }
        return (expiresAt, fixed != nil)
    }

    /// The fixed code of a reviewer's number, until its end by PostgreSQL's clock.
    private func open(_ review: ReviewNumber?, _ tx: PostgresTransaction) throws -> OneTimeCode? {
        guard let review, let now = try tx.first("SELECT now() AS now")?.get("now", as: Date.self),
            review.isOpen(at: now)
        else { return nil }
        return OneTimeCode(text: review.code)
    }

    private func message(_ code: OneTimeCode, _ id: VerificationID, to number: PhoneNumber) -> SMSMessage {
        let text = CodeMessage(host: configuration.host, androidHash: configuration.androidHash)
        return SMSMessage(id: id.rawValue, to: number.rawValue, body: text.text(for: code))
    }
}
