import KeyDerivation

/// Writes and reads the cursors of lists that are answered in pages. Each ends with a code under the service's secret, so that a
/// client can neither invent a cursor nor use another user's or another list's.
package struct ListCursors<Failure: Error & Sendable>: Sendable {
    private static var codeLength: Int { 12 }
    private static var maxLength: Int { 400 }
    private let keys: KeyRing
    private let expired: Failure

    /// - Parameters:
    ///   - purpose: names the key. Cursors of another purpose are refused.
    ///   - expired: the error for a text that is not a cursor of the user and the list.
    package init(secret: some SecretSource, purpose: String, expired: Failure) {
        keys = secret.secrets.keys(for: purpose)
        self.expired = expired
    }

    /// - Parameter parts: the place of the page's last entry, without line breaks.
    package func text(_ parts: [String], of list: String, for user: UserID) -> String {
        let body = Array(parts.joined(separator: "\n").utf8)
        return Base64URL.encode(body + keys.code(of: sealed(body, list, user)).prefix(Self.codeLength))
    }

    /// - Throws: `expired` unless the service gave this user the text as a cursor of this list.
    package func parts(of text: String, _ list: String, for user: UserID) throws(Failure) -> [String] {
        guard text.utf8.count <= Self.maxLength, let bytes = Base64URL.decode(text),
            bytes.count >= Self.codeLength
        else { throw expired }
        let body = Array(bytes.dropLast(Self.codeLength))
        guard keys.isValid(beginning: Array(bytes.suffix(Self.codeLength)), of: sealed(body, list, user))
        else { throw expired }
        return String(decoding: body, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    private func sealed(_ body: [UInt8], _ list: String, _ user: UserID) -> [UInt8] {
        Array("\(list) \(user.rawValue.uuidString)\n".utf8) + body
    }
}

/// A page of a list, newest first.
package struct ListPage<Entry: Sendable>: Sendable {
    /// The entries of a page.
    package static var size: Int { 50 }

    package let entries: [Entry]
    /// The last entry of the page if there are further ones.
    package let last: Entry?

    /// - Parameter found: up to one entry more than a page has.
    package init(_ found: [Entry]) {
        entries = Array(found.prefix(Self.size))
        last = found.count > Self.size ? entries.last : nil
    }
}
