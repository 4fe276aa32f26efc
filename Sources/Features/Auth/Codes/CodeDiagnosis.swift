import FeatureKit
import Foundation
import HTTPKit
import Postgres
import RateLimiting

/// Tells operators whether a number would get a code now, and what refuses it. It contains the masked number only.
package struct CodeDiagnosis: Sendable, Encodable {
    package struct Check: Sendable, Encodable {
        package let name: String
        /// Whether this check alone refuses a code.
        package let bars: Bool
        package let used: Int?
        package let limit: Int?
        package let freeInSeconds: Int?
        package let note: String?

        init(
            _ name: String, bars: Bool, used: Int? = nil, limit: Int? = nil, freeIn: Duration? = nil,
            note: String? = nil
        ) {
            self.name = name
            self.bars = bars
            self.used = used
            self.limit = limit
            freeInSeconds = freeIn.map { Int($0.wholeSecondsRoundedUp) }
            self.note = note
        }
    }

    /// Nil when the text is not a phone number.
    package let number: String?
    package let checks: [Check]
    package var wouldSend: Bool

    init(number: String?, checks: [Check]) {
        self.number = number
        self.checks = checks
        wouldSend = !checks.contains(where: \.bars)
    }
}

/// Runs every check that decides about a code, and changes nothing.
package struct CodeExplanation: Sendable {
    private let postgres: PostgresClient
    private let limits: RateLimits
    private let configuration: AuthSettings
    private let firewall: CodeFirewall

    package init(postgres: PostgresClient, limits: RateLimits, configuration: AuthSettings) {
        self.postgres = postgres
        self.limits = limits
        self.configuration = configuration
        firewall = CodeFirewall(
            postgres: postgres, limits: limits, rules: CodeRateLimits(configuration: configuration),
            price: configuration.work)
    }

    /// - Parameter address: the address of the client. Nil stands for a client that has never verified the number.
    package func explain(_ text: String, from address: ClientAddress?) async throws -> CodeDiagnosis {
        // Check the numbering plan first: a refusal names the kind of line and the country.
        let number: PhoneNumber
        let callingCode: Int
        let kind: CodeDiagnosis.Check
        do {
            let read = try PhoneNumberParser(countries: configuration.countries).read(text)
            number = read.number
            callingCode = read.facts.callingCode
            let range = read.facts.isValid ? "a known range" : "a range that the metadata does not know"
            kind = .init("number", bars: false, note: "\(read.facts.region), \(read.facts.line), \(range)")
        } catch {
            let masked = (try? PhoneNumberParser().read(text).number)?.masked
            return CodeDiagnosis(number: masked, checks: [.init("number", bars: true, note: error.meaning)])
        }
        if let review = try await openReview(number) {
            let note = "a reviewer's number until \(review.lastDay): fixed code, no message"
            return CodeDiagnosis(
                number: number.masked, checks: [kind, .init("review", bars: false, note: note)])
        }
        guard limits.enforced else {
            let note = "limits.enforce_rates is false, so no other check runs"
            return CodeDiagnosis(
                number: number.masked, checks: [kind, .init("limits", bars: false, note: note)])
        }
        var isTrusted = false
        if address != nil { isTrusted = try await firewall.isTrusted(number, from: address) }
        let checks =
            try await isTrusted
            ? countedForKnown(number, address) + ceilings(.knownCode)
            : counted(number, address) + [prefix(number)]
                + ceilings(.strangerCode(callingCode: callingCode))
                + price(.strangerCode(callingCode: callingCode))
        return CodeDiagnosis(number: number.masked, checks: [kind] + checks)
    }

    private func openReview(_ number: PhoneNumber) async throws -> ReviewNumber? {
        guard let review = configuration.reviewNumbers.first(where: { $0.number == number }),
            let now = try await ClockStore(postgres: postgres).now(), review.isOpen(at: now)
        else { return nil }
        return review
    }

    private func counted(_ number: PhoneNumber, _ address: ClientAddress?) async throws -> [CodeDiagnosis
        .Check]
    {
        let rules = firewall.rules
        let sending = rules.ofStranger(number, from: address)
            .filter { address != nil || $0.scope != .codeAddressHour }
        let stranger = CodeDiagnosis.Check(
            "address", bars: false, note: "has never verified this number, or was not given")
        return try await [stranger]
            + limits.states(of: sending + [rules.failures(of: number)]).map { check($0, bars: $0.isUsedUp) }
            + limits.states(of: [rules.ofWork(number)]).map { check($0, bars: false) }
    }

    private func countedForKnown(
        _ number: PhoneNumber, _ address: ClientAddress?
    ) async throws -> [CodeDiagnosis.Check] {
        let states = try await limits.states(of: firewall.ofKnownPair(number, address))
        let refusal = firewall.knownRefusal(states, number)
        let known = CodeDiagnosis.Check("address", bars: false, note: "has verified this number before")
        return [known] + states.map { check($0, bars: $0.limit.scope == refusal?.scope) }
    }

    private func check(_ state: RateState, bars: Bool) -> CodeDiagnosis.Check {
        CodeDiagnosis.Check(
            state.limit.scope.name, bars: bars, used: state.used, limit: state.limit.limit,
            freeIn: bars ? state.wait : nil)
    }

    private func prefix(_ number: PhoneNumber) async throws -> CodeDiagnosis.Check {
        let sample = firewall.rules.quotas.prefixSample
        let state = try await firewall.store.prefixState(limits.digests(number.prefix), sample: sample)
        return CodeDiagnosis.Check(
            RateScope.codePrefixClosed.name, bars: state.closedFor != nil || firewall.fails(state),
            freeIn: state.closedFor,
            note: "\(state.verified) of the last \(state.sends) codes were entered")
    }

    private func ceilings(_ purpose: MessagePurpose) async throws -> [CodeDiagnosis.Check] {
        try await limits.messages.states(postgres, for: purpose).map { state in
            CodeDiagnosis.Check(
                state.scope.name, bars: state.freeIn != nil, used: state.used, limit: state.limit,
                freeIn: state.freeIn)
        }
    }
}

extension CodeExplanation {
    /// The work that a code costs at the present use of the ceiling.
    private func price(_ purpose: MessagePurpose) async throws -> [CodeDiagnosis.Check] {
        let share = try await postgres.transaction { tx in try limits.messages.use(tx, for: purpose).share }
        guard let doublings = firewall.price.doublings(atUse: share) else { return [] }
        return [.init("work", bars: false, note: "a code costs \(1 << doublings) times the least work")]
    }
}

extension PhoneNumberRefusal {
    fileprivate var meaning: String {
        switch self {
        case .malformed: "is not a number with a + and a country code"
        case .impossible: "has a length that does not exist in its country"
        case .line: "is premium rate, shared cost or another line that cannot get text messages"
        case .country: "is in a country that sms.countries does not list"
        }
    }
}
