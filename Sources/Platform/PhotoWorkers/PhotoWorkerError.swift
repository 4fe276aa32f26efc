/// Why a picture was not processed.
package enum PhotoWorkerError: Error, Equatable {
    /// The bytes are of no format that is read here.
    case unsupportedFormat
    /// The bytes are damaged, incomplete, or cost more than one picture may.
    case unreadable
    /// Too many pixels, too long a side, too many scans or tiles.
    case tooLarge
    /// All workers are busy and the queue is full.
    case overloaded
    /// The kernel refuses workers their sandbox, and the configuration requires it.
    case sandboxRefused
    /// No worker can be started; the text is for the log.
    case unavailable(String)
}
