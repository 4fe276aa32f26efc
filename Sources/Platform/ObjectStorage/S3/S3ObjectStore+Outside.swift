import NIOCore
import OutboundHTTP

/// The bucket without credentials, as the public sees it; for checks.
extension S3ObjectStore {
    /// The bucket's URL with the host that signed URLs have.
    package var publicURL: String { publicEndpoint.url(publicEndpoint.uri(key: nil), query: "") }

    /// The answer to an unsigned GET of a URL. Does not follow redirects.
    package func fetch(_ url: String) async throws(ObjectStoreError) -> PublicAnswer {
        do throws(ObjectStoreError) {
            return try await transport.fetch(url, upTo: configuration.maxObjectBytes)
        } catch .unavailable {
            // A kept connection may have been closed meanwhile.
            return try await transport.fetch(url, upTo: configuration.maxObjectBytes)
        } catch {
            throw error
        }
    }
}

/// The store's answer to a request without credentials.
package struct PublicAnswer: Sendable, Hashable {
    package let status: Int
    package let body: ByteBuffer

    package var isSuccess: Bool { (200..<300).contains(status) }
}

extension S3Transport {
    func fetch(_ url: String, upTo maxBytes: Int) async throws(ObjectStoreError) -> PublicAnswer {
        do {
            let response = try await client.send(
                OutboundRequest(.GET, url, maxResponseBytes: maxBytes), timeout: timeout)
            return PublicAnswer(status: response.status, body: response.body)
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
