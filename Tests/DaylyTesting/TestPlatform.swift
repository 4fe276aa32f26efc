import FeatureKit
import Foundation
import KeyDerivation
import Logging
import Messaging
import NIOCore
import ObjectStorage
import Postgres
import RateLimiting

extension Platform {
    /// The technology for a feature under test: everything over one database, without objects.
    ///
    /// - Parameters:
    ///   - sms: nil for tests in which nobody gets a text message.
    ///   - objects: nil for tests without objects.
    package static func testing(
        _ postgres: PostgresClient, enforceRates: Bool = true,
        messageLimits: MessageCeiling.Limits = .init(), secrets: ServiceSecrets = Fixtures.secret.secrets,
        sms: SMSQueue? = nil, objects: (any ObjectStore)? = nil,
        logger: Logger = .silent
    ) -> Platform {
        Platform(
            database: postgres, jobDatabase: postgres, objects: objects ?? UnusedObjectStore(),
            secrets: secrets,
            rates: Fixtures.rateLimits(
                postgres, enforced: enforceRates, secrets: secrets, messageLimits: messageLimits),
            sms: sms ?? SMSQueue(gateway: RecordingSMSGateway(), logger: logger),
            clocks: ClockWatch(storeDate: { nil }, logger: logger),
            now: { try await ClockStore(postgres: postgres).now() ?? Date() }, logger: logger)
    }
}

/// Refuses every call. For features that keep no objects.
private struct UnusedObjectStore: ObjectStore {
    func put(_ key: ObjectKey, _ bytes: ByteBuffer, contentType: String) async throws(ObjectStoreError) {
        throw Self.unused
    }

    func get(_ key: ObjectKey) async throws(ObjectStoreError) -> ByteBuffer { throw Self.unused }
    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectMetadata? { throw Self.unused }

    func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey: String] {
        throw Self.unused
    }

    func list(
        prefix: String, continuation: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectListing { throw Self.unused }

    func presignedGet(
        _ key: ObjectKey, signedAt: Date, expiresAt: Date
    ) throws(ObjectStoreError) -> String { throw Self.unused }

    func check() async throws(ObjectStoreError) { throw Self.unused }

    private static let unused = ObjectStoreError.unavailable("this test has no object store")
}
