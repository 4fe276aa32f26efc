import Notifications

extension NotificationKind {
    /// Tries to end a streak.
    static let temptation = NotificationKind(rawValue: "temptation")
    /// The results of a week.
    static let results = NotificationKind(rawValue: "results")
    /// Asks for a judgement of the day before.
    static let review = NotificationKind(rawValue: "review")
    /// Asks how the next morning is to begin.
    static let morning = NotificationKind(rawValue: "morning")
    /// Proposes to find a partner.
    static let partnerPrompt = NotificationKind(rawValue: "partner_prompt")
    /// A partner broke a streak.
    static let partnerBreak = NotificationKind(rawValue: "partner_break")
    /// Somebody asks the user to become their partner.
    static let partnerRequest = NotificationKind(rawValue: "partner_request")
}

extension FocusFeature {
    package static let webNotifications: [NotificationKind: WebNotification] = {
        var all = WebNotification.all(page: "/focus", FocusTexts.all.mapValues(\.notifications))
        all[.temptation] = WebNotification(
            page: "/focus", FocusTexts.all.mapValues { words(ofTemptations: $0.temptations) })
        return all
    }()

    private static func words(ofTemptations texts: [String: [String]]) -> WebNotification.Words {
        WebNotification.Words { data in
            guard let known = data["type"].flatMap({ texts[$0] }),
                let number = data["number"].flatMap({ Int($0) }), known.indices.contains(number)
            else { return nil }
            return known[number]
        }
    }
}
