import DaylyAPI

/// The problems that only calls of Focus answer.
extension ProblemCode {
    public static let focusNotJoined = ProblemCode("focus_not_joined")
    public static let nicknameTaken = ProblemCode("nickname_taken")
    public static let dayClosed = ProblemCode("day_closed")
    public static let followLimitReached = ProblemCode("follow_limit_reached")
    public static let sessionActive = ProblemCode("session_active")
    public static let scheduleAlreadyStarted = ProblemCode("schedule_already_started")
    public static let proRequired = ProblemCode("pro_required")
    public static let beastMode = ProblemCode("beast_mode")
    public static let scheduleLimitReached = ProblemCode("schedule_limit_reached")
    public static let scheduleOverlap = ProblemCode("schedule_overlap")
    public static let intentionLimitReached = ProblemCode("intention_limit_reached")
    public static let freezeUnavailable = ProblemCode("freeze_unavailable")
    public static let partnerLimitReached = ProblemCode("partner_limit_reached")
}
