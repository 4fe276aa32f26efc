/// The links in invitations.
package struct InvitationLinks: Sendable {
    private let publicURL: String
    private let download: String?

    /// - Parameters:
    ///   - publicURL: `http.public_url`, the base of the invite page.
    ///   - download: the link to the app in an SMS; nil means the invite page.
    package init(publicURL: String, download: String? = nil) {
        self.publicURL = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
        self.download = download
    }

    /// The page for the invitee. The page looks nothing up.
    package func page(for code: InvitationCode) -> String {
        "\(publicURL)/i/\(code.rawValue)"
    }

    func download(for code: InvitationCode) -> String {
        download ?? page(for: code)
    }
}
