/// What a device calls itself in the list of sessions; the rules of `DisplayName`, up to 100 scalars.
struct DeviceName: Sendable, Equatable {
    let rawValue: String

    init(_ text: String) throws(DisplayNameFault) {
        rawValue = try DisplayName(checking: text, maxScalars: 100).rawValue
    }
}
