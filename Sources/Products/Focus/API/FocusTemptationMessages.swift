import DaylyAPI

/// The messages that try to end a streak of the caller: `GET` and the answer of `PUT /v1/focus/temptations`.
public struct FocusTemptations: Codable, Sendable, Equatable {
    public var enabled: Bool
    /// `low`, `medium` or `high`.
    public var intensity: String
    /// The quiet hours of temptations, as `HH:MM`; both null: none.
    @Nullable public var quietFrom: String?
    @Nullable public var quietTo: String?
    /// The temptations since joining that a push provider accepted.
    public var sent: Int
    /// The sent ones after which the phone stayed locked for more than five minutes.
    public var resisted: Int

    public init(
        enabled: Bool, intensity: String, quietFrom: String?, quietTo: String?, sent: Int, resisted: Int
    ) {
        self.enabled = enabled
        self.intensity = intensity
        self._quietFrom = Nullable(wrappedValue: quietFrom)
        self._quietTo = Nullable(wrappedValue: quietTo)
        self.sent = sent
        self.resisted = resisted
    }

    enum CodingKeys: String, CodingKey {
        case enabled
        case intensity
        case quietFrom = "quiet_from"
        case quietTo = "quiet_to"
        case sent
        case resisted
    }
}

/// `PUT /v1/focus/temptations`. A member that is left out takes its default. Quiet hours that are null are none.
public struct FocusTemptationSettings: Codable, Sendable {
    public var enabled: Bool?
    public var intensity: String?
    /// Nil: the default, 22:00.
    public var quietFrom: Nullable<String>?
    /// Nil: the default, 07:00.
    public var quietTo: Nullable<String>?

    public init(
        enabled: Bool? = nil, intensity: String? = nil, quietFrom: Nullable<String>? = nil,
        quietTo: Nullable<String>? = nil
    ) {
        self.enabled = enabled
        self.intensity = intensity
        self.quietFrom = quietFrom
        self.quietTo = quietTo
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        enabled = try container.decodeIfPresent(Bool.self, forKey: .enabled)
        intensity = try container.decodeIfPresent(String.self, forKey: .intensity)
        // decodeIfPresent takes null for a member that is left out.
        func times(_ key: CodingKeys) throws -> Nullable<String>? {
            container.contains(key) ? try container.decode(Nullable<String>.self, forKey: key) : nil
        }
        quietFrom = try times(.quietFrom)
        quietTo = try times(.quietTo)
    }

    enum CodingKeys: String, CodingKey {
        case enabled
        case intensity
        case quietFrom = "quiet_from"
        case quietTo = "quiet_to"
    }
}
