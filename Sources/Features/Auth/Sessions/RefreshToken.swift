import FeatureKit
import Foundation
import KeyDerivation

/// The secret that a client exchanges for new tokens: session id, generation, and an HMAC over both and the session's
/// nonce, in base64url. It can be derived again, so the database does not store it.
struct RefreshToken: Sendable, Equatable {
    static let byteCount = 16 + 4 + 32

    let session: SessionID
    let generation: UInt32
    private let mac: [UInt8]

    init(session: SessionID, generation: UInt32, nonce: [UInt8], key: KeyRing) {
        self.session = session
        self.generation = generation
        mac = key.code(of: Self.message(session, generation, nonce))
    }

    /// Nil when the text does not have the form of a token. Check `isAuthentic` afterwards.
    init?(_ text: String) {
        guard text.utf8.count <= 128, let bytes = Base64URL.decode(text), bytes.count == Self.byteCount else {
            return nil
        }
        let id = bytes[0..<16].withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        session = SessionID(id)
        generation = bytes[16..<20].reduce(0) { $0 << 8 | UInt32($1) }
        mac = Array(bytes[20...])
    }

    /// Compares in constant time.
    func isAuthentic(nonce: [UInt8], key: KeyRing) -> Bool {
        key.isValid(mac, of: Self.message(session, generation, nonce))
    }

    var text: String {
        Base64URL.encode(session.rawValue.bytes + Self.bigEndian(generation) + mac)
    }

    private static func message(_ session: SessionID, _ generation: UInt32, _ nonce: [UInt8]) -> [UInt8] {
        session.rawValue.bytes + bigEndian(generation) + nonce
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
