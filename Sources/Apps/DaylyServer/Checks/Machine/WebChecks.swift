/// Checks that the web client can be served, and at the address where its pages look for it.
struct WebChecks: Sendable {
    private static let check = "web client"

    let configuration: ServerConfiguration

    func findings() -> [Finding] {
        let web = configuration.web
        guard web.isEnabled else { return [.skipped(Self.check, "not in use (web.enabled is false)")] }
        guard !web.$path.isMissing else {
            return [
                .warning(
                    Self.check, "is not served, because the executable has no folder web near it",
                    remedy: web.$path.remedy)
            ]
        }
        return [folder(web), address].compactMap { $0 }
    }

    private func folder(_ web: WebSettings) -> Finding {
        do {
            let count = try WebFolder(path: web.path).files().count
            return .ok(Self.check, "\(count) files in \(web.path)")
        } catch {
            return .problem(Self.check, "\(web.path) cannot be served: \(error)", remedy: web.$path.remedy)
        }
    }

    private var address: Finding? {
        let http = configuration.http
        let path = http.publicURL.dropFirst(http.origin.count)
        guard !path.isEmpty, path != "/" else { return nil }
        return .warning(
            Self.check,
            "http.public_url has the path \(path), and the client works at the root of its host only",
            remedy: "Give the service a host of its own, or set web.enabled=false.")
    }
}
