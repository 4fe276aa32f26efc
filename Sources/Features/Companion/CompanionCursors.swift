import Auth
import FeatureKit
import KeyDerivation

/// Writes and reads the cursors of lists that are answered in pages. Each ends with a code under the service's secret, so that a
/// client can neither invent a cursor nor use another user's or another list's.
struct CompanionCursors: Sendable {
    private static let codeLength = 12
    private static let maxLength = 400
    private let keys: KeyRing

    init(secret: some SecretSource) {
        keys = secret.secrets.keys(for: "dayly companion cursors v1")
    }

    /// - Parameter parts: the place of the page's last entry, without line breaks.
    func text(_ parts: [String], of list: String, for user: UserID) -> String {
        let body = Array(parts.joined(separator: "\n").utf8)
        return Base64URL.encode(body + keys.code(of: sealed(body, list, user)).prefix(Self.codeLength))
    }

    /// - Throws: `CompanionError.cursorExpired` unless the service gave this user the text as a cursor of this list.
    func parts(of text: String, _ list: String, for user: UserID) throws(CompanionError) -> [String] {
        guard text.utf8.count <= Self.maxLength, let bytes = Base64URL.decode(text),
            bytes.count >= Self.codeLength
        else { throw .cursorExpired }
        let body = Array(bytes.dropLast(Self.codeLength))
        guard keys.isValid(beginning: Array(bytes.suffix(Self.codeLength)), of: sealed(body, list, user))
        else {
            throw .cursorExpired
        }
        return String(decoding: body, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    private func sealed(_ body: [UInt8], _ list: String, _ user: UserID) -> [UInt8] {
        Array("\(list) \(user.rawValue.uuidString)\n".utf8) + body
    }
}

/// A page of a list, newest first.
struct CompanionPage<Entry: Sendable>: Sendable {
    /// The entries of a page.
    static var size: Int { 50 }

    let entries: [Entry]
    /// The last entry of the page if there are further ones.
    let last: Entry?

    /// - Parameter found: up to one entry more than a page has.
    init(_ found: [Entry]) {
        entries = Array(found.prefix(Self.size))
        last = found.count > Self.size ? entries.last : nil
    }
}
