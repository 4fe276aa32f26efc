/// The reason why a picture was not processed.
package enum PhotoWorkerError: Error, Equatable {
    /// The bytes are not in a supported format.
    case unsupportedFormat
    /// The bytes are damaged or incomplete, or need more memory or time than one picture may use.
    case unreadable
    /// The picture has too many pixels, too long a side, or too many scans or tiles.
    case tooLarge
    /// All workers are busy and the queue is full, or the machine is too busy for the worker.
    case overloaded
    /// The kernel refuses the sandbox, and the configuration requires it.
    case sandboxRefused
    /// No worker can be started; the text is for the log.
    case unavailable(String)
}
