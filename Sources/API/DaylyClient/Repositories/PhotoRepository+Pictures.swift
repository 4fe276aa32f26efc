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

/// The sizes of a stored photo.
public enum PictureSize: Sendable, CaseIterable {
    /// At most 2,048 pixels on the long edge.
    case full
    /// At most 480 pixels.
    case thumbnail
}

extension PhotoRepository {
    /// Sends a photo now. Apps use the queue of uploads instead, which survives bad networks and the end of the app.
    ///
    /// - Parameters:
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

    /// The JPEG of a photo, from its signed URL. When that has expired, a new one is fetched first.
    ///
    /// - Throws: `not_found` as a problem when the photo has gone.
    public func picture(
        of photo: Photo, _ size: PictureSize = .full
    ) async throws(DaylyError) -> Data {
        if photo.urlExpiresAt > calls.open.clock.now, let data = try await bytes(of: photo, size) {
            return data
        }
        guard let data = try await bytes(of: get(photo.id), size) else {
            throw .unexpectedAnswer(status: 404)
        }
        return data
    }

    /// - Returns: nil when the URL is not valid any more.
    private func bytes(of photo: Photo, _ size: PictureSize) async throws(DaylyError) -> Data? {
        guard let url = URL(string: size == .full ? photo.url : photo.thumbnailURL) else { return nil }
        // The URL is the permission. A token would tell the object store who asks.
        let response = try await calls.open.send(TransportRequest(.get, url), isIdempotent: true)
        switch response.status {
        case 200: return response.body
        case 403, 404: return nil
        case let status: throw .unexpectedAnswer(status: status)
        }
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
