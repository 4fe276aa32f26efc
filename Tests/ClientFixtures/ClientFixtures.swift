import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation

extension ResourceID {
    /// The same id for the same number.
    package static func numbered(_ number: UInt8) -> ResourceID {
        ResourceID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, number)))
    }
}

extension User {
    package static let ada = User(
        id: .numbered(1), phoneNumber: "+14155550101", firstName: "Ada", timeZone: "Europe/Berlin",
        discoverable: true, quietFrom: nil, quietTo: nil,
        createdAt: Date(timeIntervalSince1970: 1_790_000_000))
    package static let bob = User(
        id: .numbered(2), phoneNumber: "+14155550102", firstName: "Bob", timeZone: "UTC", discoverable: true,
        quietFrom: nil, quietTo: nil, createdAt: Date(timeIntervalSince1970: 1_790_000_000))
}

extension TokenResponse {
    package static func numbered(_ number: Int, for user: User = .ada, isNewUser: Bool? = nil)
        -> TokenResponse
    {
        TokenResponse(
            accessToken: "access-\(number)", refreshToken: "refresh-\(number)", expiresIn: 900, user: user,
            isNewUser: isNewUser)
    }
}

extension StoredSession {
    package static func numbered(_ number: Int, for user: User = .ada) -> StoredSession {
        StoredSession(refreshToken: "refresh-\(number)", user: user)
    }
}

/// A client of a service that a test scripts, with time that stands still.
package struct ScriptedClient: Sendable {
    package let store: MemoryTokenStore
    package let clock = ManualClock()
    package let transport: StubTransport
    package let dayly: Dayly
    private let configuration: Dayly.Configuration

    /// - Parameter session: what the device has kept.
    package init(
        _ session: StoredSession? = .numbered(0), retries: RetryPolicy = .never,
        _ handler: @escaping StubTransport.Handler
    ) throws {
        store = MemoryTokenStore(session)
        transport = StubTransport(handler)
        guard let url = URL(string: "https://dayly.test") else { throw CocoaError(.coderInvalidValue) }
        configuration = .init(
            url: url, tokens: store, folder: .temporaryDirectory.appending(path: "dayly-\(UUID())"),
            transport: transport, retries: retries, clock: clock)
        dayly = Dayly(configuration)
    }

    /// A client over the same store and folder, as in an extension of the app.
    package func anotherProcess() -> Dayly { Dayly(configuration) }

    /// How many requests went to this path.
    package func count(_ path: String) -> Int {
        transport.requests.count { $0.url.path == path }
    }
}

extension TransportHead {
    package static let eventStream = TransportHead(
        status: 200, headers: ["Content-Type": "text/event-stream; charset=utf-8"])
}

extension TransportRequest {
    /// The token of `Authorization`.
    package var bearer: String? {
        headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
    }

    /// The body of `POST /v1/auth/refresh`.
    package var refreshToken: String? {
        body.flatMap { try? ClientJSON.decode(RefreshRequest.self, from: $0).refreshToken }
    }
}

/// A door that a request waits at until a test opens it.
package actor Door {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    package var visitors: Int { waiting.count }

    package func pass() async {
        guard !isOpen else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    package func open() {
        isOpen = true
        for visitor in waiting { visitor.resume() }
        waiting = []
    }
}

/// Waits until a condition is true; for at most 10 s.
package func soon(_ condition: () async -> Bool) async throws {
    for _ in 0..<2_000 {
        if await condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    throw CancellationError()
}
