import Foundation

extension RequestBuilder {
    /// The service's address in one spelling. A queue says with it whose its records are.
    var service: String {
        guard var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true) else {
            return baseURL.absoluteString
        }
        parts.scheme = parts.scheme?.lowercased()
        parts.host = parts.host?.lowercased()
        parts.user = nil
        parts.password = nil
        while parts.path.hasSuffix("/") { parts.path.removeLast() }
        return parts.string ?? baseURL.absoluteString
    }

    /// The folder of this service inside `shared`, which has one folder for each service.
    func folder(in shared: URL) -> URL {
        let digest = PlainSHA256.hash(Array(service.utf8)).prefix(2)
        return shared.appendingPathComponent(digest.map { String(format: "%08x", $0) }.joined())
    }
}
