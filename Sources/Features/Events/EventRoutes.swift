import DaylyAPI
import HTTPKit
import Hummingbird
import NIOCore

/// The call of the API that streams events.
struct EventRoutes: Sendable {
    let events: EventService

    init(events: EventService) {
        self.events = events
    }

    var routes: [Route] { [Route(.get, "events", use: stream)] }

    /// Answers with a stream that lasts until the client disconnects or its access token expires.
    @Sendable func stream(_ request: Request, _ context: AppContext) async throws -> Response {
        let start = try await events.start(
            context.requireIdentity(), after: request.headers[.lastEventID].flatMap { $0.isEmpty ? nil : $0 })
        return Response(
            status: .ok, headers: Self.headers,
            body: ResponseBody { writer in
                try await events.run(start) { try await writer.write(ByteBuffer(string: $0)) }
                try await writer.finish(nil)
            })
    }

    /// Proxies must not cache, buffer or compress the stream. A compressor holds events back until its window is full.
    private static let headers: HTTPFields = [
        .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store, no-transform",
        .accelBuffering: "no",
    ]
}

extension EventError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .cursorExpired:
            Problem(.gone, .cursorExpired, "The cursor is too old. Please ask again without it.")
        case .tooManyStreams: .overloaded(retryAfter: .seconds(5))
        }
    }
}
