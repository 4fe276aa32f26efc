import CommandKit
import Foundation

/// The user of the installed service.
package enum ServiceUser {
    static let name = "dayly"

    /// Turns a process of root into one of the service's user, where there is one. Any other process stays as it is.
    package static func become() throws {
        guard geteuid() == 0, let entry = getpwnam(name) else { return }
        let (user, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
        let home = String(cString: entry.pointee.pw_dir)
        guard initgroups(name, group) == 0, setgid(group) == 0, setuid(user) == 0 else {
            throw CommandFailure(
                reason: "root cannot become the user \(name): \(String(cString: strerror(errno))).",
                remedy: "Run the command as that user, or name the configuration with --config.")
        }
        // libpq looks for a certificate below HOME. It refuses TLS where it may not look, as below root's home.
        setenv("HOME", home, 1)
    }
}
