import Auth
import Foundation
import Push

/// A device that receives a user's push messages.
struct Device: Sendable {
    let id: UUID
    let token: DeviceToken
}

enum DeviceError: Error, Equatable {
    /// The token does not have the form of that platform's tokens.
    case malformedToken(PushPlatform)
    case missing(pointer: String)
    /// A part of a browser's subscription cannot be used.
    case malformedSubscription(WebPushSubscription.Fault)
    /// Messages to browsers are not configured.
    case noWebPush
    case unknownPlatform
    /// The session has ended meanwhile.
    case sessionOver
}
