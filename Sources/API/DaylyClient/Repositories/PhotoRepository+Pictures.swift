import DaylyAPI
import Foundation

/// The formats that the service takes.
public enum PictureFormat: String, Sendable, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case heic = "image/heic"
    case webp = "image/webp"
    case avif = "image/avif"
}

extension PhotoRepository {
    /// Sends a photo now. Apps use the queue of uploads instead, which survives bad networks and the end of the app.
    ///
    /// - Parameters:
    ///   - picture: a file of at most 10 MiB.
    ///   - format: the file's format.
    ///   - group: one of the user's groups.
    ///   - key: the app's id for this upload. The same key and picture again give the same photo.
    ///   - progress: called on any thread.
    /// - Throws: ``DaylyError/photoUploadFailed(retry:)`` when the picture is refused or the service is busy;
    ///   `already_sent_today` and the like as problems.
    public func send(
        _ picture: URL, format: PictureFormat, to group: ResourceID, key: String,
        progress: @escaping @Sendable (UploadProgress) -> Void = { _ in }
    ) async throws(DaylyError) -> Photo {
        let request = try uploadRequest(format: format, to: group, key: key)
        do {
            let response = try await calls.authorized.upload(request, from: picture, progress: progress)
            return try ClientJSON.decode(from: response)
        } catch {
            throw error.asUploadFailure
        }
    }

    package func uploadRequest(
        format: PictureFormat, to group: ResourceID, key: String
    ) throws(DaylyError) -> TransportRequest {
        var request = try calls.requests.request(.sendPhoto, path: [group.description])
        request.headers["Content-Type"] = format.rawValue
        request.headers["Idempotency-Key"] = key
        request.idleTimeout = .seconds(60)
        return request
    }
}

extension DaylyError {
    /// The error for an app that wanted to send a photo.
    package var asUploadFailure: DaylyError {
        switch code {
        case .uploadTooLarge, .unsupportedMediaType, .unreadableImage, .imageTooLarge:
            .photoUploadFailed(retry: false)
        case .storageUnavailable, .overloaded, .unavailable, .internalError: .photoUploadFailed(retry: true)
        default: self
        }
    }
}
