/// A text that somebody else has given out and that is recognised by its form alone.
struct TextShape: Sendable {
    /// As it stands in “is no …”.
    let name: String
    let example: String
    /// Of the whole text: a regular expression.
    private let pattern: String

    func matches(_ text: String) -> Bool {
        (try? Regex(pattern).wholeMatch(in: text)) != nil
    }

    /// Team id and bundle id, as `apple-app-site-association` names an app.
    static let iOSAppID = TextShape(
        name: "app id (team id, dot, bundle id)", example: "ABCDE12345.com.example.dayly",
        pattern: #"[A-Z0-9]{10}\.[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*"#)

    /// Of a developer team or of a key, as App Store Connect shows it.
    static let appleID = TextShape(
        name: "id of ten letters and digits", example: "ABCDE12345", pattern: "[A-Z0-9]{10}")

    static let bundleID = TextShape(
        name: "bundle id", example: "com.example.dayly", pattern: #"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+"#)

    /// As Google's SMS Retriever makes it of the app's package and signing certificate.
    static let androidHash = TextShape(
        name: "hash of an Android app (11 characters of base64)", example: "FA+9qCX9VSu",
        pattern: "[A-Za-z0-9+/]{11}")

    static let androidPackage = TextShape(
        name: "package name", example: "com.example.dayly",
        pattern: #"[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+"#)

    /// SHA-256 of a signing certificate, as `keytool` prints it.
    static let certificateFingerprint = TextShape(
        name: "SHA-256 fingerprint", example: "14:6D:E9:… (32 bytes in upper case, as keytool prints them)",
        pattern: "[0-9A-F]{2}(:[0-9A-F]{2}){31}")
}
