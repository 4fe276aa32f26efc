import Auth
import Foundation
import Settings

/// The files with secrets: they must hold valid keys, and not every user may read them.
struct FileChecks: Sendable {
    let configuration: ServerConfiguration
    /// The paths of the configuration's files.
    let files: [String]

    func findings() async -> [Finding] {
        await keys() + permissions(filesWithSecrets())
    }

    private func keys() async -> [Finding] {
        let paths = configuration.secrets.signingKeyPaths
        guard !paths.isEmpty else { return [] }
        do {
            _ = try await SigningKeys(pems: paths.map { try String(contentsOfFile: $0, encoding: .utf8) })
            return [.ok("signing keys", "\(paths.count) of P-256; the first one signs")]
        } catch SigningKeysError.unreadable(let index) {
            return [
                .problem(
                    "signing keys", "\(paths[index]) is not a P-256 private key",
                    remedy:
                        "Create one: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out signing.pem"
                )
            ]
        } catch {
            return [
                .problem("signing keys", "\(error)", remedy: "Give this user read permission on the files.")
            ]
        }
    }

    /// The configuration's files that hold a password, a key or another secret.
    private func filesWithSecrets() -> [String] {
        var found: [String] = []
        for path in files {
            guard let file = try? ConfigurationFile.read(path) else { continue }
            let holdsSecret = ServerConfiguration.declared.contains { setting in
                file.text(setting.key).map { setting.shown($0).contains(Masking.mask) } ?? false
            }
            if holdsSecret { found.append(path) }
        }
        return found
    }

    private func permissions(_ withSecrets: [String]) -> [Finding] {
        let folder = URL(fileURLWithPath: configuration.dataDirectory, isDirectory: true)
        let own = ["secret", "signing-key.pem"].map { folder.appendingPathComponent($0).path }
        let push = [
            configuration.push.apns?.keyPath, configuration.push.fcm?.serviceAccountPath,
            configuration.push.web?.keyPath,
        ]
        let exposed = (configuration.secrets.signingKeyPaths + push.compactMap { $0 } + own + withSecrets)
            .filter(isReadableByOthers)
        guard exposed.isEmpty else {
            return exposed.map {
                .problem("secrets", "every user can read \($0)", remedy: "Run: chmod o= \($0)")
            }
        }
        return [.ok("secrets", "not readable by every user")]
    }

    private func isReadableByOthers(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        return mode & 0o004 != 0
    }
}
