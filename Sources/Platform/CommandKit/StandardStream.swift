import Foundation

/// Standard error, a whole line at a time.
package enum StandardError {
    /// One write per line, so that lines of several threads and processes do not mix. A line that nobody can read any
    /// more, because the other end of a pipe is closed, is lost.
    @Sendable package static func writeLine(_ line: String) {
        StandardStream.write(line + "\n", to: STDERR_FILENO)
    }
}

/// Writes to standard output and standard error.
package enum StandardStream {
    /// Writes the text. It is lost if nobody can read it any more: `FileHandle.write` would end the process.
    package static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let written = Foundation.write(descriptor, rest.baseAddress, rest.count)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            }
        }
    }
}
