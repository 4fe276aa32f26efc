import Foundation
import HTTPKit
import Postgres
import RateLimiting

/// Why a number would get a code now, or what bars it. For operators: holds no number, but the masked one.
package struct CodeDiagnosis: Sendable, Encodable {
    package struct Check: Sendable, Encodable {
        package let name: String
        /// Whether it alone bars a code.
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

    /// Nil where there is no number in what was asked.
    package let number: String?
    package let checks: [Check]
    package var wouldSend: Bool

    init(number: String?, checks: [Check]) {
        self.number = number
        self.checks = checks
        wouldSend = !checks.contains(where: \.bars)
    }
}

/// Looks at everything that decides about a code, and changes nothing.
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
            postgres: postgres, limits: limits, rules: CodeRateLimits(configuration: configuration))
    }

    /// - Parameter address: of the client that asks; without one, somebody's who never verified the number.
    package func explain(_ text: String, from address: ClientAddress?) async throws -> CodeDiagnosis {
        // By the plan alone first: what is barred is to be told with its kind and country.
        let number: PhoneNumber
        let callingCode: Int
        let kind: CodeDiagnosis.Check
        do {
            let read = try PhoneNumberParser(countries: configuration.countries).read(text)
            number = read.number
            callingCode = read.facts.callingCode
            let range = read.facts.isValid ? "a known range" : "no range that the metadata knows"
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
            let note = "limits.enforce_rates is false: nothing else is looked at"
            return CodeDiagnosis(
                number: number.masked, checks: [kind, .init("limits", bars: false, note: note)])
        }
        var isTrusted = false
        if address != nil { isTrusted = try await postgres.first(firewall.known(number, address)) != nil }
        let checks =
            try await isTrusted
            ? countedForKnown(number, address) + ceilings(.knownCode)
            : counted(number, address) + [prefix(number)]
                + ceilings(.strangerCode(callingCode: callingCode))
        return CodeDiagnosis(number: number.masked, checks: [kind] + checks)
    }

    private func openReview(_ number: PhoneNumber) async throws -> ReviewNumber? {
        guard let review = configuration.reviewNumbers.first(where: { $0.number == number }),
            let now = try await postgres.first("SELECT now() AS now")?.get("now", as: Date.self),
            review.isOpen(at: now)
        else { return nil }
        return review
    }

    private func counted(_ number: PhoneNumber, _ address: ClientAddress?) async throws -> [CodeDiagnosis
        .Check]
    {
        let rules = firewall.rules
        let sending = rules.ofStranger(number, from: address)
            .filter { address != nil || $0.scope != "code.address.hour" }
        let stranger = CodeDiagnosis.Check(
            "address", bars: false, note: "never verified this number, or not given")
        return try await [stranger]
            + limits.states(of: sending + [rules.failures(of: number)]).map { check($0, bars: $0.isUsedUp) }
    }

    private func countedForKnown(
        _ number: PhoneNumber, _ address: ClientAddress?
    ) async throws -> [CodeDiagnosis.Check] {
        let states = try await limits.states(of: firewall.ofKnownPair(number, address))
        let refusal = firewall.knownRefusal(states, number)
        let known = CodeDiagnosis.Check("address", bars: false, note: "verified this number before")
        return [known] + states.map { check($0, bars: $0.limit.scope == refusal?.scope) }
    }

    private func check(_ state: RateState, bars: Bool) -> CodeDiagnosis.Check {
        CodeDiagnosis.Check(
            state.limit.scope, bars: bars, used: state.used, limit: state.limit.limit,
            freeIn: bars ? state.wait : nil)
    }

    private func prefix(_ number: PhoneNumber) async throws -> CodeDiagnosis.Check {
        let sample = firewall.rules.limits.prefixSample
        let row = try await postgres.first(
            FirewallStore.prefixState(limits.digests(number.prefix), sample: sample))
        guard let state = try row.map(PrefixState.init) else { throw AuthError.overloaded }
        return CodeDiagnosis.Check(
            "code.prefix.closed", bars: state.closedFor != nil || firewall.fails(state),
            freeIn: state.closedFor,
            note: "\(state.verified) of the last \(state.sends) codes came to use")
    }

    private func ceilings(_ purpose: MessagePurpose) async throws -> [CodeDiagnosis.Check] {
        try await limits.messages.states(postgres, for: purpose).map { state in
            CodeDiagnosis.Check(
                state.scope, bars: state.freeIn != nil, used: state.used, limit: state.limit,
                freeIn: state.freeIn)
        }
    }
}

extension PhoneNumberRefusal {
    fileprivate var meaning: String {
        switch self {
        case .malformed: "is no number with a + and a country code"
        case .impossible: "has a length that its country's plan does not have"
        case .line: "is premium rate, shared cost or another line that gets no messages"
        case .country: "is of a country that sms.countries does not have"
        }
    }
}
