import PhoneClient
import CompanionAPI
import DaylyClient
import DaylyAPI
import Foundation

/// Companion: a cat for the day and a pet for the long run.
///
/// Without having joined every call but ``join(_:)``, ``leave()``, ``score(_:)``, ``texts(language:unless:)`` and ``flags(unless:)``
/// throws `companion_not_joined` as a `DaylyError.problem(_:)`.
public struct CompanionRepository: Sendable {
    /// The events of this phone, on their way to the service.
    public let queue: CompanionSyncQueue
    let calls: ServiceCalls

    /// An app makes one with its client, before anybody signs in or out, and keeps it.
    ///
    /// - Parameters:
    ///   - dayly: the client whose session this one follows.
    ///   - uptime: the phone's uptime now, by which Companion knows the time of an event although the clock is wrong; nil
    ///     where it cannot be told.
    public init(_ dayly: Dayly, uptime: @escaping @Sendable () -> PhoneUptime? = { nil }) {
        calls = dayly.calls
        queue = CompanionSyncQueue(CompanionPhones.self, of: dayly, folder: "companion", uptime: uptime)
    }

    /// For tests that make the queue themselves.
    package init(queue: CompanionSyncQueue, calls: ServiceCalls) {
        (self.queue, self.calls) = (queue, calls)
    }

    // MARK: Taking part

    public func settings(
        unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<CompanionPreferences> {
        try await calls.getIfChanged(.getCompanionSettings, unless: version)
    }

    /// Joins Companion, or changes the settings. They replace the old ones: a member that is nil takes its default.
    public func join(_ settings: CompanionPreferencesRequest) async throws(DaylyError) -> CompanionPreferences
    {
        let settings: CompanionPreferences = try await calls.get(.putCompanionSettings, json: settings)
        await queue.restart()
        return settings
    }

    /// Erases everything of Companion about the user, here and at the service.
    public func leave() async throws(DaylyError) {
        try await calls.perform(.leaveCompanion)
        await queue.clear()
    }

    /// Scores the survey of the first screens. The service keeps none of the answers.
    public func score(_ survey: CompanionSurvey) async throws(DaylyError) -> CompanionSurveyResult {
        try await calls.get(.scoreCompanionSurvey, json: survey)
    }

    /// The switches of the service's operator.
    public func flags(
        unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<[CompanionFlag]> {
        let flags: Fetched<CompanionFlags> = try await calls.getIfChanged(.getCompanionFlags, unless: version)
        return flags.map(\.flags)
    }

    // MARK: Phones

    /// The user's phones, in the order of their registration.
    public func devices(
        unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<[CompanionDevice]> {
        let list: Fetched<CompanionDeviceList> = try await calls.getIfChanged(
            .listCompanionDevices, unless: version)
        return list.map(\.devices)
    }

    /// Removes a phone, so that another one may sync. Its reports stay.
    public func remove(device id: ResourceID) async throws(DaylyError) {
        try await calls.perform(.deleteCompanionDevice, path: [id.description])
        await queue.restart()
    }

    // MARK: The day

    /// The running day.
    public func day(unless version: EntityVersion? = nil) async throws(DaylyError) -> Fetched<CompanionDay> {
        try await calls.getIfChanged(.getCompanionToday, unless: version)
    }

    /// A day by its name, such as `2026-03-02`: the running one, or one that ended less than 90 days ago.
    public func day(
        _ day: String, unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<CompanionDay> {
        try await calls.getIfChanged(.getCompanionDay, path: [day], unless: version)
    }

    /// The cat's diary, newest first, 50 texts at a time.
    /// - Parameters:
    ///   - cursor: that of the page before.
    ///   - language: `en` or `de`; nil: as the system asks the service.
    public func diary(
        after cursor: String? = nil, language: String? = nil
    ) async throws(DaylyError) -> CompanionDiary {
        try await calls.get(
            .listCompanionDiary, query: [("cursor", cursor)], headers: .language(language))
    }

    /// The templates of all texts of the diary, which a phone keeps for the time without a connection.
    /// - Parameters:
    ///   - language: `en` or `de`; nil: as the system asks the service.
    ///   - version: that of the texts that the phone has already.
    public func texts(
        language: String? = nil, unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<CompanionTextPools> {
        try await calls.getIfChanged(.getCompanionTexts, headers: .language(language), unless: version)
    }
}

extension TransportHeaders {
    fileprivate static func language(_ language: String?) -> TransportHeaders {
        language.map { ["Accept-Language": $0] } ?? [:]
    }
}
