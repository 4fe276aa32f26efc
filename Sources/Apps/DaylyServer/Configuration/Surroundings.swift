import Foundation

/// Files near the running executable: beside it in a folder of its own, in the file system's usual places around an installed
/// one, above it in a checkout.
package enum Surroundings {
    static var executable: URL {
        let path =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? Bundle.main.executablePath ?? CommandLine.arguments.first ?? "."
        return URL(fileURLWithPath: path).resolvingSymlinksInPath()
    }

    /// The folder of the migrations: `migrations` or `share/dayly/migrations` in the executable's folder or one above it.
    static func migrationsPath() -> String? {
        nearest(["migrations", "share/dayly/migrations"], holdsMigrations)
            ?? (holdsMigrations("migrations") ? "migrations" : nil)
    }

    /// The folder of the web client: `web` or `share/dayly/web` in the executable's folder or one above it, or `Sources/Web`
    /// of a checkout.
    static func webPath() -> String? {
        nearest(["web", "share/dayly/web", "Sources/Web"], WebFolder.isOne)
    }

    /// The version and commit that `scripts/package` wrote, in `share/dayly` beside the executable's folder; nil in a build
    /// that no package was made of.
    static func packagedVersion() -> String? {
        let file = prefix.appendingPathComponent("share/dayly/version")
        let text = try? String(contentsOf: file, encoding: .utf8)
        return text?.split(separator: "\n").first.map(String.init)
    }

    /// The configuration that an installed command reads where none is named: `/etc/dayly` for `/usr/bin/dayly`, otherwise
    /// `etc/dayly` beside the executable's folder. The later file holds the secrets.
    package static func configurationFiles() -> [String] {
        let folder =
            prefix.path == "/usr"
            ? URL(fileURLWithPath: "/etc/dayly") : prefix.appendingPathComponent("etc/dayly")
        return ["dayly.yaml", "secrets.yaml"].map { folder.appendingPathComponent($0).path }
            .filter(FileManager.default.fileExists(atPath:))
    }

    /// The folder above the executable's: `/usr` for `/usr/bin/dayly`.
    private static var prefix: URL { executable.deletingLastPathComponent().deletingLastPathComponent() }

    private static func nearest(_ candidates: [String], _ isRight: (String) -> Bool) -> String? {
        var folder = executable.deletingLastPathComponent()
        for _ in 0..<6 where folder.path != "/" {
            for candidate in candidates {
                let path = folder.appendingPathComponent(candidate).path
                if isRight(path) { return path }
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }

    private static func holdsMigrations(_ path: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.contains { $0.hasPrefix("0001_") && $0.hasSuffix(".sql") }
    }
}
