import KeyDerivation
import Crypto
import DaylyTesting
import FeatureKit
import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import Postgres
import Testing

@testable import Auth

/// A signing key is changed while two servers run over one database, one after the other.
@Suite("Changing the signing key")
struct KeyRotationTests {
    /// Guard: the first key signs, all verify (`SigningKeys`)
    @Test("two live keys: nobody is signed out, whichever server has gone ahead")
    func rotation() async throws {
        try await withTestDatabase { database in
            let user = try await Fixtures.user(in: database.client)
            let session = try await Fixtures.session(in: database.client, of: user)
            try await rotate(
                Rotation(database: database.url), refreshToken: WholeService.refreshToken(session))
        }
    }

    private func rotate(_ rotation: Rotation, refreshToken: String) async throws {
        let (old, new) = (rotation.old, rotation.new)
        var device = Device(refreshToken: refreshToken)
        // The new key is known everywhere before the first server signs with it, and the old one to the end.
        for keys in [
            ([old], [old]), ([old, new], [old]), ([old, new], [old, new]), ([new, old], [old, new]),
            ([new, old], [new, old]),
        ] {
            device = try await rotation.use(device, keys)
        }
        #expect(Set(device.accessTokens.compactMap(Rotation.keyID)).count == 2)
        // The old key is dropped: its access tokens are over, and refreshing, which needs no key, goes on.
        let name = try await rotation.keyID(of: new)
        try await rotation.servers(([new], [new])) { [device] servers in
            for token in device.accessTokens {
                let status = Rotation.keyID(in: token) == name ? 200 : 401
                #expect(try await servers.statuses(token) == [status, status])
            }
            let last = try await servers[1].refresh(device.refreshToken)
            #expect(try await servers.statuses(last.access) == [200, 200])
        }
    }
}

/// The tokens of a device.
private struct Device: Sendable {
    var refreshToken: String
    var accessTokens: [String] = []
}

/// Two keys, and servers that have them.
private struct Rotation: Sendable {
    let database: String
    let folder: TemporaryFolder
    let old: String
    let new: String

    init(database: String) throws {
        self.database = database
        folder = try TemporaryFolder()
        old = try folder.write("old.pem", P256.Signing.PrivateKey().pemRepresentation)
        new = try folder.write("new.pem", P256.Signing.PrivateKey().pemRepresentation)
    }

    func keyID(of path: String) async throws -> String {
        try await SigningKeys(pems: [String(contentsOfFile: path, encoding: .utf8)]).signingKeyID
    }

    static func keyID(in token: String) -> String? {
        let header = token.prefix { $0 != "." }
        let bytes = Base64URL.decode(String(header)) ?? []
        return (try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: String])?["kid"]
    }

    /// Refreshes at both servers, each of which signs with the first of its keys, and calls both with all tokens.
    func use(_ device: Device, _ keys: ([String], [String])) async throws -> Device {
        let names = [try await keyID(of: keys.0[0]), try await keyID(of: keys.1[0])]
        return try await servers(keys) { servers in
            var device = device
            for (server, name) in zip(servers, names) {
                let next = try await server.refresh(device.refreshToken)
                #expect(Rotation.keyID(in: next.access) == name)
                device.refreshToken = next.refresh
                device.accessTokens.append(next.access)
            }
            for token in device.accessTokens {
                #expect(try await servers.statuses(token) == [200, 200])
            }
            return device
        }
    }

    /// Runs two servers, each with its list of keys.
    func servers<Value: Sendable>(
        _ keys: ([String], [String]), _ body: @escaping @Sendable ([Server]) async throws -> Value
    ) async throws -> Value {
        try await serving(keys.0) { first in
            try await serving(keys.1) { second in
                try await body([Server(client: first), Server(client: second)])
            }
        }
    }

    private func serving<Value: Sendable>(
        _ keys: [String], _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        try await Fixture.serving(
            [
                "DAYLY_AUTH_SIGNING_KEYS": keys.joined(separator: ","),
                "DAYLY_AUTH_SECRET": String(decoding: Fixtures.secret, as: UTF8.self),
            ], database: database
        ) { client, _ in try await body(client) }
    }
}

private struct Server: Sendable {
    let client: any TestClientProtocol

    func refresh(_ token: String) async throws -> (access: String, refresh: String) {
        try await client.execute(
            uri: "/v1/auth/refresh", method: .post, headers: [.contentType: "application/json"],
            body: ByteBuffer(string: #"{"refresh_token": "\#(token)"}"#)
        ) { response in
            let body = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
            let members = try #require(body as? [String: Any])
            return (
                try #require(members["access_token"] as? String),
                try #require(members["refresh_token"] as? String)
            )
        }
    }
}

extension [Server] {
    /// The answer of each to a call with the token.
    fileprivate func statuses(_ token: String) async throws -> [Int] {
        var statuses: [Int] = []
        for server in self {
            let headers: HTTPFields = [.authorization: "Bearer \(token)"]
            statuses.append(
                try await server.client.execute(uri: "/v1/users/me", method: .get, headers: headers) {
                    $0.status.code
                })
        }
        return statuses
    }
}
