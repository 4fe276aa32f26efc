import Foundation

/// Tells systemd that the service takes connections (`Type=notify`), so that `systemctl start` ends then and not before. Without
/// systemd it does nothing.
enum ReadyNotice {
    /// - Parameter path: a Unix socket; an @ at its beginning stands for an abstract name.
    static func send(to path: String? = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"]) {
        guard let path, !path.isEmpty else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array((path.hasPrefix("@") ? "\0" + path.dropFirst() : path).utf8)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let text = Array("READY=1".utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, text, text.count, 0, $0, length)
            }
        }
    }
}
