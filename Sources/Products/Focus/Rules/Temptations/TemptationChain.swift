import DeviceIntake

/// The temptations of a streak. All that is random about them is drawn from the user, the streak's beginning and the
/// temptation's number, so that every process comes to the same times and texts.
package struct TemptationChain: Hashable, Sendable {
    /// The user's id in lower case.
    package let user: String
    package let streakBegan: Instant

    package init(user: String, streakBegan: Instant) {
        self.user = user
        self.streakBegan = streakBegan
    }

    /// A temptation with the time at which it is due.
    package struct Due: Hashable, Sendable {
        /// The place in the chain, from 0.
        package let number: Int
        package let at: Instant

        package init(number: Int, at: Instant) {
            self.number = number
            self.at = at
        }
    }

    /// A temptation that was due this long ago, or longer, when a sync makes it known is passed over.
    private static let lateSeconds = 900
    /// A chain whose next temptation was due longer ago is given up: its streak gets no more.
    private static let givenUpSeconds = 86_400
    /// Longest additional wait for the first temptation, and after quiet hours.
    private static let spread = 300
    private static let movesOutOfQuietHours = 4

    /// The next temptation of the chain, or nil if the streak gets no more.
    /// - Parameters:
    ///   - previous: the one before; nil for the first.
    ///   - quietUntil: the end of the quiet hours that hold at an instant, of several the later one; nil if none do.
    package func next(
        after previous: Due?, _ intensity: TemptationIntensity,
        quietUntil: (Instant) throws -> Instant?
    ) rethrows -> Due? {
        try moved(wanted(after: previous, intensity), quietUntil: quietUntil)
    }

    /// The next temptation of the chain that is not to be passed over, since a sync comes late; nil if there is none, or if the chain
    /// is more than a day late.
    ///
    /// - Parameter quietUntil: as above, for several instants at once, so that catching up asks a few times only.
    package func next(
        after previous: Due?, _ intensity: TemptationIntensity, now: Instant,
        quietUntil: ([Instant]) throws -> [Instant?]
    ) rethrows -> Due? {
        var due = try moved(wanted(after: previous, intensity), asking: quietUntil)
        guard let first = due, first.at > now - Self.givenUpSeconds else { return nil }
        while let passed = due, isLate(passed, now) {
            var ahead = [wanted(after: passed, intensity)]
            while let last = ahead.last, isLate(last, now) { ahead.append(wanted(after: last, intensity)) }
            // Up to the first one in quiet hours all stay where they are.
            if let quiet = try quietUntil(ahead.map(\.at)).firstIndex(where: { $0 != nil }) {
                due = try moved(ahead[quiet], asking: quietUntil)
            } else {
                due = ahead.last
            }
        }
        return due
    }

    private func isLate(_ due: Due, _ now: Instant) -> Bool { due.at <= now - Self.lateSeconds }

    /// The next temptation where no hours are quiet.
    private func wanted(after previous: Due?, _ intensity: TemptationIntensity) -> Due {
        let number = previous.map { $0.number + 1 } ?? 0
        let wait = draw(number, "wait").value
        let at =
            previous.map { $0.at + Int(Double(intensity.period) * (0.5 + wait)) }
            ?? streakBegan + Self.spread + pause(number)
        return Due(number: number, at: at)
    }

    private func pause(_ number: Int) -> Int { Int(Double(Self.spread) * draw(number, "wait").value) }

    private func moved(_ wanted: Due, asking: ([Instant]) throws -> [Instant?]) rethrows -> Due? {
        try moved(wanted) { try asking([$0]).first ?? nil }
    }

    /// The temptation at a time that is not quiet; nil if there is none near.
    private func moved(_ wanted: Due, quietUntil: (Instant) throws -> Instant?) rethrows -> Due? {
        var at = wanted.at
        for _ in 0..<Self.movesOutOfQuietHours {
            guard let end = try quietUntil(at) else { return Due(number: wanted.number, at: at) }
            at = end + pause(wanted.number)
        }
        return try quietUntil(at) == nil ? Due(number: wanted.number, at: at) : nil
    }

    /// The text of a temptation.
    /// - Parameters:
    ///   - lastSent: the last one that was sent to the user, of any streak. It does not come twice in a row.
    ///   - isSocialPossible: enough other users have unlocked their phones. It is asked only where that decides.
    package func text(
        of due: Due, lastSent: TemptationText?, isSocialPossible: () throws -> Bool
    ) rethrows -> TemptationText {
        var kind = kind(of: due)
        if kind == .social, try !isSocialPossible() { kind = .fomo }
        let number = draw(due.number, "text").index(of: kind.texts)
        let text = TemptationText(kind: kind, number: number)
        guard text == lastSent else { return text }
        return TemptationText(kind: kind, number: (number + 1) % kind.texts)
    }

    private func kind(of due: Due) -> TemptationKind {
        let draw = draw(due.number, "kind")
        switch due.at - streakBegan {
        case ..<1_800: return .curiosity
        case ..<3_600: return draw.value < 0.5 ? .curiosity : .fakeUrgency
        case ..<7_200: return [.fomo, .social, .fakeUrgency][draw.index(of: 3)]
        default: return draw.value < 0.3 ? .taunt : .fomo
        }
    }

    private func draw(_ number: Int, _ purpose: String) -> Draw {
        Draw(.text(user), .instant(streakBegan), .number(number), .text(purpose))
    }
}

/// Whether a temptation that was sent is resisted, given the first unlock after it: five minutes have to pass.
package func isResisted(sentAt: Instant, firstUnlockAt: Instant) -> Bool {
    firstUnlockAt > sentAt + 300
}
