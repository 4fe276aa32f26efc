import DaylyAPI
import HTTPKit
import Hummingbird
import NIOCore

/// `/v1/events`: to be added behind the authenticator.
package struct EventRoutes: Sendable {
    let events: EventService

    package init(events: EventService) {
        self.events = events
    }

    package func addRoutes(to group: RouterGroup<AppContext>) {
        group.get("events", use: stream)
    }

    /// An answer that goes on for as long as the client listens and its token is good.
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

    /// No proxy is to keep it or to hold it back.
    private static let headers: HTTPFields = [
        .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store", .accelBuffering: "no",
    ]
}

extension EventError: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .cursorExpired:
            Problem(.gone, .cursorExpired, "The cursor is too old. Ask again without it.")
        case .tooManyStreams: .overloaded(retryAfter: .seconds(5))
        }
    }
}
