/// Where invitations lead.
package struct InvitationLinks: Sendable {
    private let publicURL: String
    private let download: String?

    /// - Parameters:
    ///   - publicURL: `http.public_url`, where the invite page is.
    ///   - download: what the SMS names for getting the app; the invite page unless given.
    package init(publicURL: String, download: String? = nil) {
        self.publicURL = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
        self.download = download
    }

    /// The page for who is invited. It looks nothing up.
    package func page(for code: InvitationCode) -> String {
        "\(publicURL)/i/\(code.rawValue)"
    }

    func download(for code: InvitationCode) -> String {
        download ?? page(for: code)
    }
}
