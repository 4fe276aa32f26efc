import DaylyAPI

extension AuthFeature {
    /// The problems of the feature's own calls: their meanings, and what a client does about them.
    package static let problems: [ProblemCode: String] = [
        .invalidPhoneNumber:
            "This is not a valid phone number. A phone number starts with + and the country's calling code.",
        .verificationFailed:
            "The code is wrong, used or expired. `attempts_remaining` says how many tries are left.",
        .tooManyAttempts: "The code was wrong too many times. Request a new one.",
        .invalidRefreshToken: "The refresh token is unknown, used up or expired. Sign in again.",
        .timeZoneChangedRecently:
            "The time zone may change once a day; `retry_at` says when it may change again.",
    ]
}
