import DaylyAPI

/// A change of who is signed in.
public enum SessionEvent: Sendable, Equatable {
    case signedIn(User)
    case signedOut(SignOutReason)
}

/// Why nobody is signed in.
public enum SignOutReason: Sendable, Equatable {
    /// Nobody was, when the app started.
    case notSignedIn
    case byUser
    /// The service ended the session: another device signed this one out, or the session was not used for too long.
    case endedByService
    /// Another process of the app signed out, or signed somebody else in.
    case changedElsewhere
    case accountDeleted
}
