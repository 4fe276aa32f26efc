import CommandKit
import Foundation
import KeyDerivation
import Postgres

/// Compares `auth.secret` with the one that the database is used with. Under another one blocks, STOPs and limits do not hold,
/// and each client that comes to this process is signed out.
struct SecretCheck: Sendable {
    enum Verdict: Sendable, Equatable {
        /// No process has used the database with a secret yet.
        case unused
        case current
        /// One of `auth.previous_secrets` fits, so the secret was changed.
        case previous
        case other
    }

    private let store: SecretCheckStore
    private let keys: KeyRing
    private static let message = Array("auth.secret".utf8)

    init(client: PostgresClient, secret: some SecretSource) {
        store = SecretCheckStore(client: client)
        keys = secret.secrets.keys(for: "secret check v1")
    }

    func verdict() async throws -> Verdict { verdict(try await store.code()) }

    private func verdict(_ code: [UInt8]?) -> Verdict {
        guard let code else { return .unused }
        if code == keys.code(of: Self.message) { return .current }
        return keys.isValid(code, of: Self.message) ? .previous : .other
    }

    /// - Throws: `CommandFailure` where neither `auth.secret` nor a previous one is the database's.
    func require() async throws {
        if try await verdict() == .other { throw CommandFailure.otherSecret }
    }

    /// Makes `auth.secret` the database's own.
    ///
    /// - Parameter acceptsOther: also where the database was used with a secret that is not known any more.
    func adopt(acceptingOther acceptsOther: Bool = false) async throws {
        let code = try await store.code()
        switch verdict(code) {
        case .current: return
        case .unused, .previous: break
        case .other: guard acceptsOther else { throw CommandFailure.otherSecret }
        }
        try await store.replace(code, by: keys.code(of: Self.message))
    }

    func finding() async throws -> Finding {
        switch try await verdict() {
        case .unused: .ok("auth.secret", "the first start of the service will note it in the database")
        case .current: .ok("auth.secret", "the one that this database is used with")
        case .previous:
            .ok("auth.secret", "this database is used with a previous one, and the next start changes that")
        case .other:
            .problem(
                "auth.secret", "is not the one that this database is used with",
                remedy: CommandFailure.otherSecret.remedy)
        }
    }
}

extension CommandFailure {
    static let otherSecret = CommandFailure(
        reason:
            "auth.secret is not the one that this database is used with, and no one of auth.previous_secrets is.",
        remedy:
            "Take auth.secret from the copy of secrets.yaml or from another machine; behind a new one, add the old one to "
            + "auth.previous_secrets. If it is lost for good, run: dayly restore --accept-secret (everybody is signed out, "
            + "and blocks of deleted accounts, STOPs and the records of erasures are not recognised any more)"
    )
}
