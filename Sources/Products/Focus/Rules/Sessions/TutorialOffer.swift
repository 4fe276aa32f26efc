import DeviceIntake

/// Whether a user is offered the tutorial.
/// - Parameters:
///   - user: the user's id in lower case.
///   - percent: the share of users (`focus.tutorial_percent`).
package func isTutorialOffered(user: String, percent: Int) -> Bool {
    Draw(.text(user), .text("tutorial")).index(of: 100) < percent
}
