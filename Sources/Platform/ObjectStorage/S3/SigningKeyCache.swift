import Foundation
import Synchronization

/// Keeps the signing keys of the two days used last: today's, and yesterday's for signed URLs around midnight.
final class SigningKeyCache: Sendable {
    private let signer: SigV4Signer
    private let keys = Mutex<[SigV4Signer.SigningKey]>([])

    init(signer: SigV4Signer) {
        self.signer = signer
    }

    func key(for date: Date) -> SigV4Signer.SigningKey {
        let day = UTCTime(date).basicDay
        return keys.withLock { keys in
            if let known = keys.first(where: { $0.day == day }) { return known }
            let made = signer.signingKey(for: date)
            keys = Array((keys + [made]).suffix(2))
            return made
        }
    }
}
