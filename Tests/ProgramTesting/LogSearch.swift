/// Searches a service's log for secrets that it received or issued: after every test of the real programs,
/// whatever the test is about.
package struct LogSearch {
    private let log: String
    private let messages: [TextMessage]

    /// - Parameter messages: all text messages that the service sent.
    package init(log: String, messages: [TextMessage]) {
        self.log = log
        self.messages = messages
    }

    /// One sentence for each kind of secret found.
    package var findings: [String] {
        var found = Set(messages.map(\.to)).filter { log.contains($0.dropFirst(3)) }
            .map { "the log has the number \($0)" }
        // Six digits may be part of a time or an id. A code stands alone.
        let words = Set(
            log.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }.map(String.init))
        if !words.isDisjoint(with: codes) { found.append("the log has a code") }
        return found + Self.patterns.filter { log.contains($0.1) }.map { "the log has \($0.0)" }
    }

    /// The codes of verifications and invitations.
    private var codes: Set<String> {
        Set(
            messages.compactMap { $0.body.firstMatch(of: /code(?: is)?: ([0-9A-Z]{6})/).map { String($0.1) } }
        )
    }

    private static var patterns: [(String, Regex<Substring>)] {
        [
            ("an access token", /eyJ[A-Za-z0-9_-]{8,}/), ("an upload ticket", /dut_[A-Za-z0-9_-]{8,}/),
            ("a signed query", /[sS]ignature=[A-Za-z0-9_-]{16,}/),
            ("a bearer token", /[Bb]earer [A-Za-z0-9_-]{6,}/),
            // All device tokens in tests have one of these two forms.
            ("a device token", /[0-9a-f]{64}|APA91b[A-Za-z0-9_-]{8,}/),
            // 52 bytes in base64url. No other logged word is as long.
            ("a refresh token", /[A-Za-z0-9_-]{70}/),
        ]
    }
}

/// A text message, as `sms.kind=http` posts it.
package struct TextMessage: Decodable, Sendable {
    package let id: String
    package let to: String
    package let body: String

    package init(id: String, to: String, body: String) {
        self.id = id
        self.to = to
        self.body = body
    }
}
