/// The version of this program. Whoever makes a release raises it.
package enum Version {
    package static let text = "1.0.0"
}
