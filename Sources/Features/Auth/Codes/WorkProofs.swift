import Crypto
import DaylyAPI
import Foundation
import KeyDerivation

/// The work that a client has done for one code.
struct ProvenWork: Sendable, Equatable {
    /// The zero bits of each digest.
    let bits: Int
    let askedAt: Date
    /// Names the challenge, which pays for one code only.
    let challenge: String
}

/// Makes challenges and checks the answers. A challenge is signed rather than stored.
struct WorkProofs: Sendable {
    private static let nonceBytes = 8
    private static let timeBytes = 4
    private static let codeBytes = 16
    /// JavaScript has no larger whole numbers.
    private static let maxNonce = 1 << 53

    let keys: KeyRing
    let price: WorkPrice

    /// - Parameters:
    ///   - subject: the number and the network for which a code is asked.
    ///   - time: PostgreSQL's.
    func challenge(doublings: Int, for subject: String, at time: Date) -> WorkChallenge {
        let bits = price.bits + doublings
        let head =
            SymmetricKey(size: .init(bitCount: Self.nonceBytes * 8)).withUnsafeBytes { Array($0) }
            + Self.bigEndian(UInt32(max(0, time.timeIntervalSince1970))) + [UInt8(bits)]
        let code = keys.code(of: head + subject.utf8).prefix(Self.codeBytes)
        return WorkChallenge(
            token: Base64URL.encode(head + code), bytes: price.bytes, bits: bits, count: price.count)
    }

    /// Nil unless the challenge is ours and for this subject, and the work is done. The caller checks its age and its price, and
    /// that it is spent once.
    func proven(_ proof: WorkProof, for subject: String) -> ProvenWork? {
        let headBytes = Self.nonceBytes + Self.timeBytes + 1
        guard proof.token.utf8.count <= 64, let token = Base64URL.decode(proof.token),
            token.count == headBytes + Self.codeBytes,
            keys.isValid(
                beginning: Array(token[headBytes...]), of: token[..<headBytes] + Array(subject.utf8)),
            proof.nonces.count == price.count, isAscending(proof.nonces)
        else { return nil }
        let bits = Int(token[headBytes - 1])
        guard proof.nonces.allSatisfy({ isDone(proof.token, nonce: $0, bits: bits) }) else { return nil }
        let seconds = token[Self.nonceBytes..<headBytes - 1].reduce(0) { $0 << 8 | UInt32($1) }
        return ProvenWork(
            bits: bits, askedAt: Date(timeIntervalSince1970: Double(seconds)), challenge: proof.token)
    }

    private func isAscending(_ nonces: [Int]) -> Bool {
        zip(nonces, nonces.dropFirst()).allSatisfy(<)
            && nonces.allSatisfy { (0..<Self.maxNonce).contains($0) }
    }

    private func isDone(_ token: String, nonce: Int, bits: Int) -> Bool {
        var message = Data(count: price.bytes)
        let head = withUnsafeBytes(of: UInt64(nonce).bigEndian) { Array($0) } + Array(token.utf8)
        message.replaceSubrange(0..<head.count, with: head)
        let beginning = SHA256.hash(data: message).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return beginning.leadingZeroBitCount >= bits
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
