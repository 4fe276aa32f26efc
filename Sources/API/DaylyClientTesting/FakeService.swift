import DaylyAPI
import DaylyClient
import Foundation

/// A Dayly service in memory, for SwiftUI previews and an app's own tests. It knows one user, their groups and photos.
///
/// It keeps the rules that screens show: one photo a day and group, five groups, a code that can be wrong. It has no other
/// people, so nobody joins or sends by themselves; ``receive(_:in:)`` adds a photo of somebody else. The libraries for tests of
/// other products add their parts.
public final class FakeService: HTTPTransport {
    /// The code that is wrong; every other one signs in.
    public static let wrongCode = "000000"

    let state: Locked<FakeState>

    /// - Parameter groups: names of groups, with the photos of each.
    public init(
        user: User = FakeService.user, groups: KeyValuePairs<String, [FakePhoto]> = FakeService.groups,
        now: Date = Date()
    ) {
        var state = FakeState(user: user, now: now)
        for (name, photos) in groups {
            let group = state.addGroup(name)
            for photo in photos { _ = state.add(photo, to: group) }
        }
        self.state = Locked(state)
    }

    /// A client of this service.
    ///
    /// - Parameter isSignedIn: whether it starts with the user's session.
    public func client(isSignedIn: Bool = true) -> Dayly {
        let user = state.withLock { $0.user }
        let session = StoredSession(refreshToken: "fake", user: user)
        return Dayly(
            .init(
                url: Self.url, tokens: MemoryTokenStore(isSignedIn ? session : nil),
                folder: FileManager.default.temporaryDirectory.appendingPathComponent("dayly-\(UUID())"),
                transport: self,
                retries: .never))
    }

    /// A photo that another member sends. Open event streams report it.
    public func receive(_ photo: FakePhoto, in group: ResourceID) -> Photo {
        state.withLock { $0.add(photo, to: group) }
    }

    // MARK: - Transport

    public func stream(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
        let answer = state.withLock { $0.answer(to: request) }
        return TransportStream(head: answer.head, body: answer.body)
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let stream = try await stream(request)
        var response = TransportResponse(stream.head)
        do {
            for try await part in stream.body { response.body += part }
        } catch {
            throw TransportError("\(error)")
        }
        return response
    }

    public func upload(
        _ request: TransportRequest, from file: URL, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(TransportError) -> TransportResponse {
        try await send(request, bodyOf: file, steps: 4, progress: progress)
    }
}

extension Dayly {
    /// A signed-in client of a ``FakeService`` with two groups, for SwiftUI previews.
    public static var preview: Dayly { FakeService().client() }
}

/// A photo in a ``FakeService``.
public struct FakePhoto: Sendable {
    public var senderName: String
    /// How long ago it was sent.
    public var age: Duration
    /// Its bytes; a small gradient unless given.
    public var picture: Data

    public init(from senderName: String, age: Duration = .zero, picture: Data = FakePhoto.gradient) {
        self.senderName = senderName
        self.age = age
        self.picture = picture
    }

    /// A JPEG of 8 × 6 pixels.
    public static let gradient = Data(base64Encoded: jpeg, options: .ignoreUnknownCharacters) ?? Data()

    private static let jpeg = """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhl
        bXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8
        fHx8fHx8fHx8fHx8fHz/wAARCAAGAAgDAREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABcQAAMBAAAAAAAAAAAA
        AAAAAAACFGH/xAAVAQEBAAAAAAAAAAAAAAAAAAABAv/EABcRAAMBAAAAAAAAAAAAAAAAAAABFAL/2gAMAwEAAhEDEQA/AHuf
        S4sjQz//2Q==
        """
}
