import Auth
import Foundation
import Groups
import KeyDerivation

/// The content of an upload ticket. It allows one upload to one group under one idempotency key, until its session ends.
struct UploadGrant: Sendable, Equatable, Codable {
    let userID: UUID
    let sessionID: UUID
    let groupID: UUID
    let idempotencyKey: String
    /// Whole seconds since 1970.
    let expiresAt: Int

    enum CodingKeys: String, CodingKey {
        case userID = "sub"
        case sessionID = "sid"
        case groupID = "grp"
        case idempotencyKey = "key"
        case expiresAt = "exp"
    }
}

/// Issues and reads upload tickets: `dut_<grant>.<HMAC-SHA256>`, both parts in base64url (RFC 4648). Tickets are not
/// stored. When a client uses a ticket, the session for which it was issued is looked up.
struct UploadTickets: Sendable {
    static let prefix = "dut_"
    private let keys: KeyRing

    /// - Parameter secret: the service's secrets, from which the keys for this purpose are derived (RFC 5869).
    init(secret: some SecretSource) {
        keys = secret.secrets.keys(for: "dayly upload ticket v1")
    }

    func issue(_ grant: UploadGrant) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let payload = try encoder.encode(grant)
        let mac = keys.code(of: Array(payload))
        return Self.prefix + Base64URL.encode(payload) + "." + Base64URL.encode(mac)
    }

    /// - Throws: `PhotoError.invalidTicket` if the ticket is forged or malformed, or has expired at `now`.
    func read(_ ticket: String, now: Date) throws(PhotoError) -> UploadGrant {
        let parts = ticket.dropFirst(Self.prefix.count).split(
            separator: ".", omittingEmptySubsequences: false)
        guard ticket.hasPrefix(Self.prefix), parts.count == 2,
            let payload = Base64URL.decode(String(parts[0])), let mac = Base64URL.decode(String(parts[1])),
            keys.isValid(Array(mac), of: Array(payload)),
            let grant = try? JSONDecoder().decode(UploadGrant.self, from: Data(payload)),
            Double(grant.expiresAt) > now.timeIntervalSince1970
        else { throw .invalidTicket }
        return grant
    }
}
