import DaylyAPI

/// A sign-in or a sign-out.
public enum SignInEvent: Sendable, Equatable {
    case signedIn(User)
    case signedOut(SignOutReason)
}

/// The reason for which no user is signed in.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum SignOutReason: Sendable, Equatable {
    /// No session was stored when the app started.
    case notSignedIn
    case byUser
    /// The service ended the session: another device signed this one out, or the session was not used for too long.
    case endedByService
    /// Another process of the app signed out, or signed somebody else in.
    case changedElsewhere
    case accountDeleted
}
