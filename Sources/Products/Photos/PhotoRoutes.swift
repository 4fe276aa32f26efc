import Auth
import DaylyAPI
import FeatureKit
import Foundation
import Groups
import HTTPKit
import Hummingbird

/// The calls of the API about photos.
struct PhotoRoutes: Sendable {
    /// The bytes that a multipart body may have beside the image.
    private static let multipartOverhead = 64 << 10

    let photos: PhotoService
    let authenticator: Authenticator
    /// The memory that all uploads in progress may hold together.
    let uploadMemory: BodyBudget
    /// PostgreSQL's clock, for upload tickets.
    let now: @Sendable () async throws -> Date

    init(
        photos: PhotoService, authenticator: Authenticator, uploadMemory: BodyBudget,
        now: @escaping @Sendable () async throws -> Date
    ) {
        self.photos = photos
        self.authenticator = authenticator
        self.uploadMemory = uploadMemory
        self.now = now
    }

    var routes: [Route] {
        [
            Route(.post, "groups/:id/upload-tickets", use: issueTicket),
            // An upload may come with a ticket instead of an access token, so its handler identifies the sender.
            Route(.post, "groups/:id/photos", .open, .bulk, use: upload),
            Route(.get, "groups/:id/photos", .reads, use: feed),
            Route(.get, "groups/:id/photos/today", .reads, use: today),
            Route(.get, "photos/:id", use: photo),
            Route(.delete, "photos/:id", .erases, use: delete),
        ]
    }

    /// Whether the process has memory and a decoder for an upload now. The overload guard asks before the request reaches
    /// the router.
    ///
    /// - Parameter bodyLength: in bytes; nil for a body of unknown length.
    func hasRoom(for bodyLength: Int?) -> Bool {
        let maxBytes = photos.limits.uploadBytes
        return uploadMemory.hasRoom(for: min(bodyLength ?? maxBytes, maxBytes)) && !photos.images.isFull
    }

    @Sendable private func upload(_ request: Request, context: AppContext) async throws -> Reply<
        DaylyAPI.Photo
    > {
        let group = try context.requireID("id", as: GroupID.self)
        let (sender, key, pass) = try await uploader(request, context: context, to: group)
        defer { pass.release() }
        var reservation: BodyBudget.Reservation?
        defer { reservation?.release() }
        let result = try await photos.upload(to: group, from: sender, key: key) {
            // Receiving the body may take long. After it the decoder's slots limit the work for one sender.
            pass.release()
            let (image, memory) = try await receive(request, from: sender, context: context)
            reservation = memory
            return image
        }
        return Reply(status: result.isNew ? .created : .ok, result.photo.message)
    }

    @Sendable private func issueTicket(_ request: Request, context: AppContext) async throws -> Reply<
        UploadTicket
    > {
        let identity = try context.requireIdentity()
        let group = try context.requireID("id", as: GroupID.self)
        let body = try await request.decodeJSON(UploadTicketRequest.self, context: context)
        guard let key = IdempotencyKey(body.idempotencyKey) else {
            throw Problem.invalidRequest(
                pointer: "/idempotency_key",
                detail: "Must be 1 to 64 visible ASCII characters, quoted or not.")
        }
        let issued = try await photos.issueTicket(
            group: group, identity: (identity.user, identity.sessionID),
            key: key.rawValue,
            now: try await now())
        return Reply(status: .created, UploadTicket(ticket: issued.ticket, expiresAt: issued.expiresAt))
    }

    @Sendable private func feed(_ request: Request, context: AppContext) async throws -> Response {
        guard let cursor = request.uri.queryParameters["since"] else {
            return try await feed(.all, request, context)
        }
        let (group, reader) = (try context.requireID("id", as: GroupID.self), try context.requireCaller())
        let feed = try await photos.changes(since: String(cursor), group: group, reader: reader)
        return try ConditionalJSON(PhotoFeed(feed)).response(from: request, context: context)
    }

    @Sendable private func today(_ request: Request, context: AppContext) async throws -> Response {
        try await feed(.today, request, context)
    }

    private func feed(_ scope: FeedScope, _ request: Request, _ context: AppContext) async throws -> Response
    {
        let (group, reader) = (try context.requireID("id", as: GroupID.self), try context.requireCaller())
        return try await ValidatedJSON(request) {
            try await photos.feedTag(group: group, reader: reader, scope: scope)
        } full: {
            let (feed, tag) = try await photos.feed(group: group, reader: reader, scope: scope)
            return (PhotoFeed(feed), tag)
        }.response(from: request, context: context)
    }

    @Sendable private func photo(_ request: Request, context: AppContext) async throws -> Reply<
        DaylyAPI.Photo
    > {
        let id = try context.requireID("id", as: PhotoID.self)
        return Reply(try await photos.photo(id, reader: try context.requireUser()).message)
    }

    @Sendable private func delete(_ request: Request, context: AppContext) async throws -> HTTPResponse.Status
    {
        let id = try context.requireID("id", as: PhotoID.self)
        try await photos.delete(id, sender: try context.requireUser())
        return .noContent
    }

    // MARK: - The upload's parts

    /// Identifies the sender by an access token, or by a ticket for this group whose session has not ended.
    private func uploader(_ request: Request, context: AppContext, to group: GroupID) async throws -> (
        UserID, key: String?, pass: CallerLimits.Pass
    ) {
        let key = try request.idempotencyKey()?.rawValue
        guard let ticket = Authenticator.bearerToken(of: request), ticket.hasPrefix(UploadTickets.prefix)
        else {
            let (identity, pass) = try await authenticator.admit(request, context: context, as: .upload)
            return (identity.user, key, pass)
        }
        let grant = try photos.tickets.read(ticket, now: try await now())
        guard grant.groupID == group.rawValue, key == nil || key == grant.idempotencyKey else {
            throw PhotoError.invalidTicket
        }
        let identity = Identity(userID: grant.userID, sessionID: grant.sessionID)
        let pass = try await authenticator.enter(identity.user, isWrite: true, as: .upload)
        guard try await authenticator.isLive(identity) else { throw PhotoError.invalidTicket }
        return (identity.user, grant.idempotencyKey, pass)
    }

    private func receive(
        _ request: Request, from sender: UserID, context: AppContext
    ) async throws -> (UploadedImage, BodyBudget.Reservation) {
        let maxBytes = photos.limits.uploadBytes
        let tooLarge = PhotoError.uploadTooLarge(maxBytes: maxBytes)
        if let contentType = request.headers[.contentType], MultipartFile.isMultipart(contentType) {
            let body = try await request.collectBody(
                maxBytes: maxBytes + Self.multipartOverhead, budget: uploadMemory, holder: sender.rawValue,
                tooLarge: tooLarge.problem, context: context)
            let bytes = try MultipartFile(body: body.buffer, contentType: contentType).bytes
            guard bytes.readableBytes <= maxBytes else { throw tooLarge }
            return (try .of(bytes), body.reservation)
        }
        var image = try UploadedImageWriter()
        let memory = try await request.receiveBody(
            maxBytes: maxBytes, budget: uploadMemory, holder: sender.rawValue, tooLarge: tooLarge.problem,
            context: context
        ) { try image.append($0) }
        return (try image.finish(), memory)
    }
}

extension VisiblePhoto {
    var message: DaylyAPI.Photo {
        DaylyAPI.Photo(
            id: ResourceID(photo.id.rawValue), groupID: ResourceID(photo.groupID.rawValue),
            senderID: ResourceID(photo.senderID.rawValue), senderName: photo.senderName ?? "User",
            createdAt: photo.createdAt, expiresAt: photo.expiresAt, width: photo.width, height: photo.height,
            thumbhash: Data(photo.thumbHash).base64EncodedString(), url: links.photo,
            thumbnailURL: links.thumbnail, urlExpiresAt: links.expiresAt)
    }
}

extension PhotoFeed {
    fileprivate init(_ feed: VisibleFeed) {
        self.init(
            photos: feed.photos.map(\.message), removed: feed.removed.map { ResourceID($0.rawValue) },
            cursor: feed.cursor)
    }
}

extension PhotoError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .notFound: .notFound
        case .alreadySentToday(let nextSendAt):
            Problem(
                .conflict, .alreadySentToday, "You have already sent a photo to this group today.",
                extensions: ["next_send_at": .date(nextSendAt)])
        case .uploadInProgress(let retryAfter):
            Problem(
                .conflict, .uploadInProgress,
                "Another upload for today is in progress.", retryAfter: retryAfter
            )
        case .photoGone:
            Problem(.gone, .photoGone, "The photo of this upload has expired or was deleted.")
        case .idempotencyKeyReused:
            Problem(
                .unprocessableContent, .idempotencyKeyReused,
                "This key was already used for another picture.")
        case .uploadTooLarge(let maxBytes):
            Problem(.contentTooLarge, .uploadTooLarge, "A picture may have at most \(maxBytes) bytes.")
        case .unsupportedMediaType:
            .unsupportedMediaType("Please send a JPEG, PNG, HEIC, AVIF or WebP picture.")
        case .unreadableImage:
            Problem(.unprocessableContent, .unreadableImage, "The picture is damaged or incomplete.")
        case .imageTooLarge:
            Problem(
                .unprocessableContent, .imageTooLarge,
                "The picture is too large. Please send one with fewer pixels.")
        case .storageUnavailable, .attemptLost:
            Problem(
                .serviceUnavailable, .storageUnavailable,
                "The photo could not be stored. Please send it again.",
                retryAfter: .seconds(5))
        case .overloaded: .overloaded()
        case .decoderUnavailable, .clocksDisagree: .unavailable()
        case .cursorExpired:
            Problem(.gone, .cursorExpired, "The cursor is too old. Please ask again without it.")
        case .invalidTicket: .unauthorized
        }
    }
}
