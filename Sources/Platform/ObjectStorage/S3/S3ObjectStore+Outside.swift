import NIOCore
import OutboundHTTP

/// The bucket as anybody sees it who has no credentials: for checks.
extension S3ObjectStore {
    /// The bucket's own URL, under the name that signed URLs have.
    package var publicURL: String { publicEndpoint.url(publicEndpoint.uri(key: nil), query: "") }

    /// What a GET of a URL answers, unsigned, following no redirect.
    package func fetch(_ url: String) async throws(ObjectStoreError) -> PublicAnswer {
        do throws(ObjectStoreError) {
            return try await transport.fetch(url, upTo: configuration.maxObjectBytes)
        } catch .unavailable {
            // A connection that was kept may have died meanwhile.
            return try await transport.fetch(url, upTo: configuration.maxObjectBytes)
        } catch {
            throw error
        }
    }
}

/// What somebody without credentials is answered.
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
