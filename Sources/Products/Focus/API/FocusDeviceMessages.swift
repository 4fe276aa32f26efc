import DaylyAPI
import Foundation

/// A phone that reports the user's locks and unlocks.
public struct FocusDevice: Codable, Sendable {
    /// The client's own id.
    public var id: ResourceID
    /// 1, 2, … in the order of registration. No other of the user's phones ever gets the same number.
    public var number: Int
    /// `ios` or `android`.
    public var platform: String
    /// `not_started`, `in_progress`, `awaiting_verification`, `verified` or `failed`.
    public var setup: String
    /// The reason of a setup that failed.
    @Nullable public var reason: String?
    /// `pending`, `verified` or `broken`.
    public var status: String
    @Nullable public var issue: String?
    /// The hours since the last unlock, if the phone is broken by them.
    @Nullable public var issueHours: Int?
    /// The first time at which the phone was verified.
    @Nullable public var verifiedAt: Date?
    @Nullable public var lastUnlockAt: Date?
    @Nullable public var syncedAt: Date?

    public init(
        id: ResourceID, number: Int, platform: String, setup: String, reason: String?, status: String,
        issue: String?, issueHours: Int?, verifiedAt: Date?, lastUnlockAt: Date?, syncedAt: Date?
    ) {
        self.id = id
        self.number = number
        self.platform = platform
        self.setup = setup
        self._reason = Nullable(wrappedValue: reason)
        self.status = status
        self._issue = Nullable(wrappedValue: issue)
        self._issueHours = Nullable(wrappedValue: issueHours)
        self._verifiedAt = Nullable(wrappedValue: verifiedAt)
        self._lastUnlockAt = Nullable(wrappedValue: lastUnlockAt)
        self._syncedAt = Nullable(wrappedValue: syncedAt)
    }

    enum CodingKeys: String, CodingKey {
        case id
        case number
        case platform
        case setup
        case reason
        case status
        case issue
        case issueHours = "issue_hours"
        case verifiedAt = "verified_at"
        case lastUnlockAt = "last_unlock_at"
        case syncedAt = "synced_at"
    }
}

/// `GET /v1/focus/devices`: by number.
public struct FocusDeviceList: Codable, Sendable {
    public var devices: [FocusDevice]

    public init(devices: [FocusDevice]) {
        self.devices = devices
    }
}

/// `PUT /v1/focus/devices/{id}`: registers a phone, or takes its report. A member that is nil stays as it is.
public struct FocusDeviceReport: Codable, Sendable {
    /// `ios` or `android`; it cannot change.
    public var platform: String
    /// `in_progress`, `failed`, or `verified` on Android.
    public var setup: String?
    /// `automation_not_created` or `unknown`; needed with `failed`.
    public var reason: String?
    /// `broken`.
    public var status: String?
    /// `no_recent_unlocks` or `app_open_without_recent_unlock`.
    public var issue: String?

    public init(
        platform: String, setup: String? = nil, reason: String? = nil, status: String? = nil,
        issue: String? = nil
    ) {
        self.platform = platform
        self.setup = setup
        self.reason = reason
        self.status = status
        self.issue = issue
    }
}

/// `POST /v1/focus/devices/{id}/verification`: the time in which the phone's next unlock verifies it, both ends included.
public struct FocusVerificationWindow: Codable, Sendable {
    public var windowStartsAt: Date
    public var windowEndsAt: Date

    public init(windowStartsAt: Date, windowEndsAt: Date) {
        self.windowStartsAt = windowStartsAt
        self.windowEndsAt = windowEndsAt
    }

    enum CodingKeys: String, CodingKey {
        case windowStartsAt = "window_starts_at"
        case windowEndsAt = "window_ends_at"
    }
}
