import Crypto
import Foundation
import KeyDerivation

/// The service's secrets and its signing keys: given in production, made once under `data_dir` in development.
package struct Secrets: Sendable {
    /// The first makes, all verify.
    package let secret: ServiceSecrets
    /// PEM texts; the first signs, all verify.
    package let signingKeys: [String]

    package init(secret: some SecretSource, signingKeys: [String]) {
        self.secret = secret.secrets
        self.signingKeys = signingKeys
    }

    /// - Throws: `SecretsError` when a file cannot be read or made.
    package static func load(_ configuration: ServerConfiguration) throws -> Secrets {
        let folder = URL(fileURLWithPath: configuration.dataDirectory, isDirectory: true)
        let secret =
            try configuration.secrets.secret
            ?? kept("secret", in: folder) {
                SymmetricKey(size: .init(bitCount: 384)).withUnsafeBytes { Data($0).base64EncodedString() }
            }
        var keys = try configuration.secrets.signingKeyPaths.map { try read(URL(fileURLWithPath: $0)) }
        if keys.isEmpty {
            keys = [try kept("signing-key.pem", in: folder) { P256.Signing.PrivateKey().pemRepresentation }]
        }
        return Secrets(
            secret: ServiceSecrets(
                Array(secret.utf8), previous: configuration.secrets.previous.map { Array($0.utf8) }),
            signingKeys: keys)
    }

    /// `auth.secret` and the previous ones, for a command that must make none. Nil where development has made none yet.
    static func existing(_ configuration: ServerConfiguration) -> ServiceSecrets? {
        let kept = configuration.dataDirectory + "/secret"
        let secret = configuration.secrets.secret ?? (try? read(URL(fileURLWithPath: kept)))
        return secret.map {
            ServiceSecrets(Array($0.utf8), previous: configuration.secrets.previous.map { Array($0.utf8) })
        }
    }

    /// For commands that sign and verify nothing, and so must not make a secret where none is given.
    static func optional(_ configuration: ServerConfiguration) -> Secrets {
        Secrets(secret: Array((configuration.secrets.secret ?? "").utf8), signingKeys: [])
    }

    /// Reads the file, and makes it first where it is absent. Several processes that make it at once all get the same
    /// text: the file appears complete or not at all, and the first one stays.
    static func kept(_ name: String, in folder: URL, make: () -> String) throws -> String {
        let file = folder.appendingPathComponent(name)
        if FileManager.default.fileExists(atPath: file.path) { return try read(file) }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw SecretsError(path: folder.path, reason: "cannot be made", remedy: remedy)
        }
        let draft = folder.appendingPathComponent(".\(name).\(UUID().uuidString)")
        defer { unlink(draft.path) }
        let descriptor = open(draft.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SecretsError(path: folder.path, reason: "cannot be written", remedy: remedy)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data((make().trimmingCharacters(in: .newlines) + "\n").utf8))
        try handle.synchronize()
        // Unlike rename, link never replaces a file that another process has made meanwhile.
        if link(draft.path, file.path) != 0, errno != EEXIST {
            throw SecretsError(path: file.path, reason: "cannot be written", remedy: remedy)
        }
        return try read(file)
    }

    private static let remedy =
        "Let data_dir (DAYLY_DATA_DIR) name a folder that this user may write to, on a local file system."

    private static func read(_ file: URL) throws(SecretsError) -> String {
        let bytes: Data
        do { bytes = try FileFault.read(file.path) } catch {
            throw SecretsError(
                path: file.path, reason: error.complaint,
                remedy: error.remedy ?? "Name another file, or make this one.")
        }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// The file of a secret cannot be read or made.
package struct SecretsError: Error, Sendable, CustomStringConvertible {
    let path: String
    let reason: String
    let remedy: String

    package var description: String { "\(path) \(reason).\n      \(remedy)" }
}
