/// Why a stream of events cannot begin.
enum EventError: Error, Equatable {
    /// The cursor is not valid, or the groups' logs do not reach back to it.
    case cursorExpired
    /// This process has as many streams as it may have.
    case tooManyStreams
}
