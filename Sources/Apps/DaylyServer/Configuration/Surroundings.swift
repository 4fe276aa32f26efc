import Foundation

/// Files near the running executable: beside it in a release, above it in a checkout.
enum Surroundings {
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
