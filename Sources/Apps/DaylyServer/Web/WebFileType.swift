/// The kinds of files that a web client consists of.
struct WebFileType: Sendable {
    let mediaType: String
    /// Pictures and fonts are compressed already.
    let isText: Bool

    /// Nil for a kind that is not served.
    init?(name: Substring) {
        guard let dot = name.lastIndex(of: "."), let found = Self.known[name[name.index(after: dot)...]]
        else {
            return nil
        }
        self = found
    }

    private init(_ mediaType: String, isText: Bool = true) {
        self.mediaType = mediaType
        self.isText = isText
    }

    static let html = WebFileType("text/html; charset=utf-8")

    private static let known: [Substring: WebFileType] = [
        "html": html,
        "js": WebFileType("text/javascript; charset=utf-8"),
        "css": WebFileType("text/css; charset=utf-8"),
        "json": WebFileType("application/json"),
        "map": WebFileType("application/json"),
        "webmanifest": WebFileType("application/manifest+json"),
        "svg": WebFileType("image/svg+xml"),
        "png": WebFileType("image/png", isText: false),
        "webp": WebFileType("image/webp", isText: false),
        "woff2": WebFileType("font/woff2", isText: false),
    ]
}
