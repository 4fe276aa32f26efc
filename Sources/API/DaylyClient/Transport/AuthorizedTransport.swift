import DaylyAPI
import Foundation

/// Sends requests as the signed-in user.
///
/// It adds the access token, and refreshes it first when its time is up. After a 401 it refreshes once and sends the
/// request again. It repeats idempotent requests by the ``RetryPolicy``. A refusal is thrown as a ``DaylyError``, so an
/// answer that it returns has a status below 400.
package protocol AuthorizedTransport: Sendable {
    /// - Parameter isIdempotent: whether the request may be sent again when nobody knows whether it arrived.
    func send(
        _ request: TransportRequest, isIdempotent: Bool
    ) async throws(DaylyError) -> TransportResponse

    func stream(_ request: TransportRequest) async throws(DaylyError) -> TransportStream

    /// Sends the file once: the caller decides about repeating an upload.
    func upload(
        _ request: TransportRequest, from file: URL, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(DaylyError) -> TransportResponse
}
