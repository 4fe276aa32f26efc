import DaylyAPI
import DaylyClient
import Foundation

/// Another product's part of a ``FakeService``.
package protocol FakePart: Sendable {
    /// The part of the path with which its calls begin, behind `/v1/`.
    static var path: String { get }

    mutating func answer(to request: TransportRequest, in scene: FakeScene) -> StubAnswer
}

/// The parts of the service's data that another product's part knows.
package struct FakeScene: Sendable {
    package let user: User
    package let now: Date
    package let groups: [PhotoGroup]
}

extension FakePart {
    package func body<Value: Decodable>(_ request: TransportRequest, _ type: Value.Type) -> Value? {
        request.body.flatMap { try? ClientJSON.decode(type, from: $0) }
    }
}

extension FakeService {
    /// Answers the calls of the part by it.
    package func offer<Part: FakePart>(_ part: (FakeScene) -> Part) {
        state.withLock { $0.parts[Part.path] = part($0.scene) }
    }
}
