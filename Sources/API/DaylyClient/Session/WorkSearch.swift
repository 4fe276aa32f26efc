import DaylyAPI
import Foundation

#if canImport(CryptoKit)
import CryptoKit
#endif

/// Does the work of a challenge, which takes a device a moment.
package struct WorkSearch: Sendable {
    /// More bytes to hash than anybody would wait for.
    private static let maxWork = Double(1 << 35)
    private static let maxBytes = 1 << 22

    private let challenge: WorkChallenge

    /// Nil for a challenge that asks for more than anybody would wait for.
    package init?(_ challenge: WorkChallenge) {
        let head = MemoryLayout<UInt64>.size + challenge.token.utf8.count
        guard (head...Self.maxBytes).contains(challenge.bytes), (0...32).contains(challenge.bits),
            (1...64).contains(challenge.count),
            Double(challenge.bytes) * Double(challenge.count << challenge.bits) <= Self.maxWork
        else { return nil }
        self.challenge = challenge
    }

    package func proof() async throws(DaylyError) -> WorkProof {
        var message = [UInt8](repeating: 0, count: challenge.bytes)
        message.replaceSubrange(8..<8 + challenge.token.utf8.count, with: challenge.token.utf8)
        var proof = WorkProof(token: challenge.token, nonces: [])
        var nonce = 0
        while proof.nonces.count < challenge.count {
            withUnsafeBytes(of: UInt64(nonce).bigEndian) { message.replaceSubrange(0..<8, with: $0) }
            if Self.beginning(message).leadingZeroBitCount >= challenge.bits { proof.nonces.append(nonce) }
            nonce += 1
            // Other tasks of the app go on meanwhile.
            await Task.yield()
            guard !Task.isCancelled else { throw .cancelled }
        }
        return proof
    }

    /// The first 32 bits of a message's SHA-256.
    private static func beginning(_ message: [UInt8]) -> UInt32 {
        #if canImport(CryptoKit)
        SHA256.hash(data: message).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        #else
        PlainSHA256.hash(message)[0]
        #endif
    }
}
