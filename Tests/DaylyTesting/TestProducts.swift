import Foundation

/// The paths of the package's executables, which the build puts beside the test runner.
package enum TestProducts {
    package static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    package static func path(_ name: String) -> String {
        folder.appending(path: name).path
    }
}
