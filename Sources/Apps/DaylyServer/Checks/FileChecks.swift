import Foundation

/// Files that hold secrets: readable by their owner alone.
struct FileChecks: Sendable {
    let configuration: ServerConfiguration

    func findings() -> [Finding] {
        let folder = URL(fileURLWithPath: configuration.dataDirectory, isDirectory: true)
        let own = ["secret", "signing-key.pem"].map { folder.appendingPathComponent($0).path }
        let exposed = (configuration.auth.signingKeyPaths + own).filter(isReadableByOthers)
        guard exposed.isEmpty else {
            return exposed.map {
                .problem("secrets", "\($0) can be read by every user", remedy: "Run: chmod 600 \($0)")
            }
        }
        return [.ok("secrets", "readable by their owner alone")]
    }

    private func isReadableByOthers(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        return mode & 0o004 != 0
    }
}
