/// The hints of Focus in `GET /v1/events`. A hint says what to fetch again, and has no `id`.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum FocusHintName: String, Sendable, CaseIterable {
    /// The caller's `GET /v1/focus/now` has changed. The data is empty.
    case now = "focus.now"
    /// The board of a group has changed.
    case board = "focus.board"
}
