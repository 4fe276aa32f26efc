import NIOCore
import NIOHTTP1
import OutboundHTTP

/// The bucket without credentials, as the public sees it; for checks.
extension S3ObjectStore {
    /// The bucket's URL with the host that signed URLs have.
    package var publicURL: String { publicEndpoint.url(publicEndpoint.uri(key: nil), query: "") }

    /// The answer to an unsigned GET of a URL. Does not follow redirects.
    ///
    /// - Parameter origin: the origin of the page in whose browser the request is made; nil outside of browsers.
    package func fetch(
        _ url: String, from origin: String? = nil
    ) async throws(ObjectStoreError) -> PublicAnswer {
        do throws(ObjectStoreError) {
            return try await transport.fetch(url, from: origin, upTo: configuration.maxObjectBytes)
        } catch .unavailable {
            // A kept connection may have been closed meanwhile.
            return try await transport.fetch(url, from: origin, upTo: configuration.maxObjectBytes)
        } catch {
            throw error
        }
    }
}

/// The store's answer to a request without credentials.
package struct PublicAnswer: Sendable, Hashable {
    package let status: Int
    package let body: ByteBuffer
    /// `Access-Control-Allow-Origin`: the origins whose pages may read the answer.
    package let allowedOrigin: String?
    package let cacheControl: String?

    /// Whether a page of an origin may read the answer (Fetch, CORS protocol).
    package func isReadable(from origin: String) -> Bool { allowedOrigin == "*" || allowedOrigin == origin }

    package var isSuccess: Bool { (200..<300).contains(status) }
}

extension S3Transport {
    func fetch(
        _ url: String, from origin: String?, upTo maxBytes: Int
    ) async throws(ObjectStoreError) -> PublicAnswer {
        do {
            let headers: HTTPHeaders = origin.map { ["Origin": $0] } ?? [:]
            let response = try await client.send(
                OutboundRequest(.GET, url, headers: headers, maxResponseBytes: maxBytes), timeout: timeout)
            return PublicAnswer(
                status: response.status, body: response.body,
                allowedOrigin: response.headers.first(name: "Access-Control-Allow-Origin"),
                cacheControl: response.headers.first(name: "Cache-Control"))
        } catch {
            let host = url.split(separator: "/").dropFirst().first.map(String.init) ?? ""
            if case .broken(let cause) = error.failure,
                let refusal = TrustedAuthorities.refusal(cause, host: host)
            {
                throw refusal
            }
            throw .unavailable(error.reason)
        }
    }
}
