import PhoneClient
import FocusAPI
import DaylyClient
import DaylyAPI
import Foundation

/// Focus: time away from the phone, measured and shared.
///
/// Without a profile every call but ``join(_:)`` and ``leave()`` throws `focus_not_joined` as a `DaylyError.problem(_:)`.
public struct FocusRepository: Sendable {
    /// The events of this phone, on their way to the service.
    public let queue: FocusSyncQueue
    let calls: ServiceCalls

    /// An app makes one with its client, before anybody signs in or out, and keeps it.
    ///
    /// - Parameters:
    ///   - dayly: the client whose session this one follows.
    ///   - uptime: the phone's uptime now, by which Focus knows the time of an event although the clock is wrong; nil
    ///     where it cannot be told.
    public init(_ dayly: Dayly, uptime: @escaping @Sendable () -> PhoneUptime? = { nil }) {
        calls = dayly.calls
        queue = FocusSyncQueue(FocusPhones.self, of: dayly, folder: "focus", uptime: uptime)
    }

    /// For tests that make the queue themselves.
    package init(queue: FocusSyncQueue, calls: ServiceCalls) {
        (self.queue, self.calls) = (queue, calls)
    }

    // MARK: Taking part

    public func profile(
        unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<FocusProfile> {
        try await calls.getIfChanged(.getFocusProfile, unless: version)
    }

    /// Joins Focus, or changes the profile. The settings replace the profile: a member that is nil takes its default.
    ///
    /// - Throws: `nickname_taken`; `rate_limited` within 7 days of the last change of the nickname.
    public func join(_ settings: FocusProfileSettings) async throws(DaylyError) -> FocusProfile {
        let profile: FocusProfile = try await calls.get(.putFocusProfile, json: settings)
        await queue.restart()
        return profile
    }

    /// Erases everything of Focus about the user, here and at the service.
    public func leave() async throws(DaylyError) {
        try await calls.perform(.leaveFocus)
        await queue.clear()
    }

    /// The first screen: the running streak, today, this week, the session, goal, points and coins.
    public func now(unless version: EntityVersion? = nil) async throws(DaylyError) -> Fetched<FocusNow> {
        try await calls.getIfChanged(.getFocusNow, unless: version)
    }

    // MARK: Phones

    /// The user's phones, by number.
    public func devices(
        unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<[FocusDevice]> {
        let list: Fetched<FocusDeviceList> = try await calls.getIfChanged(.listFocusDevices, unless: version)
        return list.map(\.devices)
    }

    public func device(
        _ id: ResourceID, unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<FocusDevice> {
        try await calls.getIfChanged(.getFocusDevice, path: [id.description], unless: version)
    }

    /// Registers this phone, or reports about it, and lets ``queue`` sync. A member that is nil stays as it is.
    ///
    /// - Throws: `device_limit_reached`.
    public func register(_ report: FocusDeviceReport) async throws(DaylyError) -> FocusDevice {
        let id = try await queue.device()
        let device: FocusDevice = try await calls.get(.putFocusDevice, path: [id.description], json: report)
        await queue.restart()
        return device
    }

    /// Removes a phone. Its scores stay.
    public func remove(device id: ResourceID) async throws(DaylyError) {
        try await calls.perform(.deleteFocusDevice, path: [id.description])
    }

    /// Opens the time in which the next unlock of this phone verifies it; iOS only.
    ///
    /// - Parameter key: the app's id for this attempt. The same key again gives the same window.
    public func verify(key: UUID = UUID()) async throws(DaylyError) -> FocusVerificationWindow {
        let id = try await queue.device()
        return try await calls.get(.verifyFocusDevice, path: [id.description], headers: .key(key))
    }

    // MARK: Temptations

    public func temptations(
        unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<FocusTemptations> {
        let fetched: Fetched<FocusTemptations> = try await calls.getIfChanged(
            .getFocusTemptations, unless: version)
        if let enabled = fetched.value?.enabled { await queue.sendLocks(atOnce: enabled) }
        return fetched
    }

    /// Changes the messages that try to end a streak. While they are off the queue sends locks with the next unlock.
    public func setTemptations(
        _ settings: FocusTemptationSettings
    ) async throws(DaylyError) -> FocusTemptations {
        let temptations: FocusTemptations = try await calls.get(.putFocusTemptations, json: settings)
        await queue.sendLocks(atOnce: temptations.enabled)
        return temptations
    }
}
