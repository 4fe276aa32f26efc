import DaylyAPI
import DaylyTesting
import Foundation
import Testing
import Yams

@testable import DaylyServer

/// Guard: every route is described, every described one is served (`openapi.yaml`)
@Suite("The OpenAPI description")
struct OpenAPITests {
    private func document() throws -> [String: Any] {
        try #require(try Yams.load(yaml: OpenAPIDocument.text) as? [String: Any])
    }

    /// `GET /v1/groups/{}`: without the names of parameters, and with the rest of a path as one parameter.
    private func operation(_ method: String, _ path: String) -> String {
        let parts = path.split(separator: "/").map { part in
            part.hasPrefix("{") || part.hasPrefix(":") || part == "**" ? "{}" : String(part)
        }
        return "\(method.uppercased()) /\(parts.joined(separator: "/"))"
    }

    @Test("it describes every route, and no other")
    func routes() async throws {
        let folder = try TemporaryFolder()
        let composition = try await Fixture.composition(in: folder)
        await composition.close()
        let served = Set(composition.routes.map { operation($0.method.rawValue, $0.template) })
        let methods: Set = ["get", "put", "post", "patch", "delete"]
        let paths = try #require(try document()["paths"] as? [String: [String: Any]])
        let described = Set(
            paths.flatMap { path, item in
                item.keys.filter(methods.contains).map { operation($0, path) }
            })
        #expect(served.subtracting(described).sorted() == [], "served, not described")
        #expect(described.subtracting(served).sorted() == [], "described, not served")
    }

    @Test("its problem codes are those of the service")
    func problemCodes() throws {
        let components = try #require(try document()["components"] as? [String: Any])
        let schemas = try #require(components["schemas"] as? [String: [String: Any]])
        let codes = try #require(schemas["ProblemCode"]?["enum"] as? [String])
        #expect(Set(codes) == Set(Features.problems.keys.map(\.rawValue)))
    }

    @Test("every problem code in it exists")
    func namedCodes() throws {
        let known = Set(Features.problems.keys.map(\.rawValue))
        for match in OpenAPIDocument.text.matches(of: #/\/problems\/([a-z_]+)/#) {
            #expect(known.contains(String(match.1)))
        }
        for match in OpenAPIDocument.text.matches(of: #/code: ([a-z]+_[a-z_]+)\s/#) {
            #expect(known.contains(String(match.1)))
        }
    }

    @Test("every reference in it resolves")
    func references() throws {
        let document = try document()
        for match in OpenAPIDocument.text.matches(of: #/\$ref: "#\/([A-Za-z\/]+)"/#) {
            var node: Any? = document
            for part in match.1.split(separator: "/") { node = (node as? [String: Any])?[String(part)] }
            #expect(node != nil, "\(match.1)")
        }
    }
}
