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
        var folder = executable.deletingLastPathComponent()
        for _ in 0..<6 where folder.path != "/" {
            for candidate in ["migrations", "share/dayly/migrations"] {
                let path = folder.appendingPathComponent(candidate).path
                if holdsMigrations(path) { return path }
            }
            folder.deleteLastPathComponent()
        }
        return holdsMigrations("migrations") ? "migrations" : nil
    }

    private static func holdsMigrations(_ path: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.contains { $0.hasPrefix("0001_") && $0.hasSuffix(".sql") }
    }
}
