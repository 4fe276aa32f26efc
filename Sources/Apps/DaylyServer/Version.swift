/// The version of this program.
package enum Version {
    /// The version that the next release gets. Each release increases it.
    package static let text = "1.0.0"

    /// The version and the commit of an installed package.
    package static var description: String {
        Surroundings.packagedVersion() ?? "\(text) (not built by scripts/package)"
    }
}
