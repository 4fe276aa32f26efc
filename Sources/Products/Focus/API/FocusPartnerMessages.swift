import DaylyAPI
import Foundation

/// Somebody who is told when the user breaks a streak.
public struct FocusPartner: Codable, Sendable {
    public var userID: ResourceID
    @Nullable public var firstName: String?
    /// `requested` or `accepted`.
    public var state: String
    public var since: Date

    public init(userID: ResourceID, firstName: String?, state: String, since: Date) {
        self.userID = userID
        self._firstName = Nullable(wrappedValue: firstName)
        self.state = state
        self.since = since
    }

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case firstName = "first_name"
        case state
        case since
    }
}

/// Somebody whose broken streaks the user is told about.
public struct FocusPartnership: Codable, Sendable {
    public struct Break: Codable, Sendable {
        public var day: String
        /// The streak that was lost.
        public var streak: Int

        public init(day: String, streak: Int) {
            self.day = day
            self.streak = streak
        }
    }

    public var userID: ResourceID
    @Nullable public var firstName: String?
    /// `requested` or `accepted`.
    public var state: String
    public var since: Date
    /// The breaks of the last 7 days, newest first.
    public var breaks: [Break]

    public init(userID: ResourceID, firstName: String?, state: String, since: Date, breaks: [Break]) {
        self.userID = userID
        self._firstName = Nullable(wrappedValue: firstName)
        self.state = state
        self.since = since
        self.breaks = breaks
    }

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case firstName = "first_name"
        case state
        case since
        case breaks
    }
}

/// `GET /v1/focus/partners`: oldest first.
public struct FocusPartnerList: Codable, Sendable {
    public var partners: [FocusPartner]
    public var partnerOf: [FocusPartnership]

    public init(partners: [FocusPartner], partnerOf: [FocusPartnership]) {
        self.partners = partners
        self.partnerOf = partnerOf
    }

    enum CodingKeys: String, CodingKey {
        case partners
        case partnerOf = "partner_of"
    }
}
