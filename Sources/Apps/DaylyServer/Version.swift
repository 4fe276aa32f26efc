/// The version of this program. Each release increases it.
package enum Version {
    package static let text = "1.0.0"
}
