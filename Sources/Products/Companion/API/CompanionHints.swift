/// The hints of Companion in `GET /v1/events`. A hint says what to fetch again, has no `id`, and its data is empty.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CompanionHintName: String, Sendable, CaseIterable {
    /// A day of the caller's or its diary has changed.
    case day = "companion.day"
    case pet = "companion.pet"
    case wallet = "companion.wallet"
}
