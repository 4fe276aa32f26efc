import Auth
import Foundation
import Push

/// A device that push messages for a user go to.
struct Device: Sendable {
    let id: UUID
    let token: DeviceToken
}

enum DeviceError: Error, Equatable {
    /// The token is none of that platform's.
    case malformedToken(PushPlatform)
    case unknownPlatform
    /// The session ended meanwhile.
    case sessionOver
}
