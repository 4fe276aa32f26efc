import DaylyClient

/// The time since the phone's start, which nobody can set as they can set a clock.
public struct PhoneUptime: Sendable, Equatable {
    /// Identifies the start.
    public let bootID: String
    public let seconds: Int

    /// Nil if the service would refuse it: an id has 1 to 64 visible ASCII characters.
    public init?(bootID: String, seconds: Int) {
        guard (1...64).contains(bootID.utf8.count), bootID.utf8.allSatisfy({ 0x21...0x7e ~= $0 }),
            seconds >= 0
        else { return nil }
        self.bootID = bootID
        self.seconds = seconds
    }
}
