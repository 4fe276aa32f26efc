import Foundation

/// The reason why the file that a setting names cannot be read, and the remedy.
struct FileFault: Error, Equatable {
    /// The end of a sentence about the file: `is not there`.
    let complaint: String
    /// Nil: the file has to be made, and the setting's own remedy says how.
    let remedy: String?

    /// - Parameters:
    ///   - code: `errno` of the attempt to open the file.
    ///   - group: of this process.
    init(_ path: String, code: Int32, group: String = Self.ownGroup) {
        switch code {
        case ENOENT, ENOTDIR:
            complaint = "is not there"
            remedy = nil
        case EACCES, EPERM:
            complaint = "may not be read by this user"
            remedy = "Run: chown root:\(group) \(path); chmod 640 \(path)"
        default:
            complaint = "cannot be read (\(String(cString: strerror(code))))"
            remedy = nil
        }
    }

    static func read(_ path: String) throws(FileFault) -> Data {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault(path, code: errno) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do { return try handle.readToEnd() ?? Data() } catch { throw FileFault(path, code: EISDIR) }
    }

    private static var ownGroup: String {
        let group = getegid()
        return getgrgid(group).map { String(cString: $0.pointee.gr_name) } ?? "\(group)"
    }
}
