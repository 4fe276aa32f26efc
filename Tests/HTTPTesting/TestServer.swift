import DaylyAPI
import DaylyTesting
import Foundation
import HTTPKit
import Hummingbird
import HummingbirdTesting
import NIOCore

/// A service for the tests of HTTPKit and HTTPGuard, with one route for each way to take a body or to fail.
package enum TestServer {
    package struct Echo: Codable, Sendable, Equatable {
        package var name: String
        package var count: Int?
        package var tags: [String]?
        package var sentAt: Date?

        package enum CodingKeys: String, CodingKey {
            case name
            case count
            case tags
            case sentAt = "sent_at"
        }
    }

    package struct Secretive: Error {
        let password = "hunter2"
    }

    package static let uploadLimit = 1 << 20

    /// The service without protection of its connections.
    package static func app(
        log: RecordingLog = RecordingLog(), budget: BodyBudget = BodyBudget(maxBytes: 8 << 20),
        proxies: TrustedProxies = .none
    ) -> some ApplicationProtocol {
        Application(router: router(budget: budget, proxies: proxies), logger: log.logger)
    }

    package static func router(
        budget: BodyBudget = BodyBudget(maxBytes: 8 << 20), proxies: TrustedProxies = .none
    ) -> AppRouter {
        let router = AppRouter(trustedProxies: proxies) { error in
            error is DatabaseDown ? .unavailable(retryAfter: .milliseconds(2_500)) : nil
        }
        addRoutes(to: router.group("v1"), budget: budget)
        return router
    }

    struct DatabaseDown: Error {}

    struct Full: ProblemConvertible {
        var problem: Problem {
            Problem(.conflict, .groupFull, "The group has twelve members.", extensions: ["seats": 0])
        }
    }

    private static func addRoutes(to group: RouterGroup<AppContext>, budget: BodyBudget) {
        group.get("hello") { _, _ in Reply(["hello": "world"]) }
        group.get("stream") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "streamed"))
                    try await writer.finish(nil)
                })
        }
        group.get("same") { _, _ in ConditionalJSON(["answer": 42]) }
        group.post("json") { request, context in
            Reply(status: .accepted, try await request.decodeJSON(Echo.self, context: context))
        }
        group.post("upload") { request, context in
            let tooLarge = Problem(.contentTooLarge, .uploadTooLarge, "At most 1 MiB.")
            let body = try await request.collectBody(
                maxBytes: uploadLimit, budget: budget, tooLarge: tooLarge, context: context)
            return Reply(status: .created, ["bytes": body.buffer.readableBytes])
        }
        group.post("refused") { _, _ -> HTTPResponse.Status in
            throw Problem(.conflict, .alreadySentToday, "One photo a day.")
        }
        group.get("me") { _, context -> HTTPResponse.Status in
            _ = try context.requireIdentity()
            return .noContent
        }
        group.get("items/{id}") { _, context in
            Reply(["id": try context.requireID("id").uuidString.lowercased()])
        }
        group.delete("items/{id}") { _, _ in HTTPResponse.Status.noContent }
        group.get("from") { _, context in
            Reply([
                "address": context.clientAddress?.description ?? "",
                "block": context.clientAddress?.block ?? "",
            ])
        }
        group.get("fail/{how}") { _, context -> HTTPResponse.Status in
            switch try context.requireParameter("how") {
            case "full": throw Full()
            case "database": throw DatabaseDown()
            case "teapot": throw HTTPError(.init(code: 418), message: "secret words")
            case "limited": throw Problem.rateLimited(retryAfter: .milliseconds(1_200))
            case "gone": throw CancellationError()
            default: throw Secretive()
            }
        }
    }
}

/// The JSON of a problem, as a client decodes it.
package struct ProblemBody: Decodable {
    package struct Fault: Decodable, Equatable {
        package var pointer: String
        package var detail: String
    }

    package var type: String
    package var title: String
    package var status: Int
    package var detail: String
    package var code: ProblemCode
    package var request_id: String
    package var errors: [Fault]?
    package var seats: Int?
}

extension TestResponse {
    package func problem() throws -> ProblemBody {
        try JSONDecoder().decode(ProblemBody.self, from: Data(body.readableBytesView))
    }
}
