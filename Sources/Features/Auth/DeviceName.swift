/// What a device calls itself in the list of sessions; the rules of `DisplayName`, up to 100 scalars.
struct DeviceName: Sendable, Equatable {
    static let rule = "must have 1 to 100 characters and no control characters"

    let rawValue: String

    init?(_ text: String) {
        guard let name = DisplayName(text, maxScalars: 100) else { return nil }
        rawValue = name.rawValue
    }
}
