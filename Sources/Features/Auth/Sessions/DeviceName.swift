/// The name of a device in the list of sessions. It follows the rules of `DisplayName`, with up to 100 Unicode scalars.
struct DeviceName: Sendable, Equatable {
    let rawValue: String

    init(_ text: String) throws(DisplayNameFault) {
        rawValue = try DisplayName(checking: text, maxScalars: 100).rawValue
    }
}
