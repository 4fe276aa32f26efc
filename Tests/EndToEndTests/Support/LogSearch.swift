import Testing

/// Looks through what a service has logged for what it was given and gave out: after every test of the real programs,
/// whatever the test is about.
struct LogSearch {
    let log: String
    let messages: [SMSInbox.Message]

    /// Records an issue for each kind of thing that is there.
    func expectDiscretion() {
        for number in Set(messages.map(\.to)) {
            let isTold = log.contains(number.dropFirst(3))
            #expect(!isTold, "the log has the number \(number)")
        }
        // Six digits may occur within a time or an id: a code stands by itself.
        let words = Set(
            log.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }.map(String.init))
        #expect(words.isDisjoint(with: codes), "the log has a code")
        for (kind, pattern) in Self.patterns {
            let isTold = log.contains(pattern)
            #expect(!isTold, "the log has \(kind)")
        }
    }

    /// Of signing in and of invitations.
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
            // Whatever tests register looks like one or the other.
            ("a device token", /[0-9a-f]{64}|APA91b[A-Za-z0-9_-]{8,}/),
            // 52 bytes in base64url; nothing else that is logged is that long in one piece.
            ("a refresh token", /[A-Za-z0-9_-]{70}/),
        ]
    }
}
