import Companion
import Focus
import Settings
import StoreReceipts

/// A product that a deployment offers on its accounts and groups.
package enum Product: String, CaseIterable, Sendable {
    case photos
    case focus
    case companion
}

/// The settings of the products beside photos.
package struct ProductSettings: SettingGroup {
    package var focus = FocusSettings()
    package var companion = CompanionSettings()

    package init() {}

    /// The faults of several settings together.
    func problems(offered: Set<Product>, appStore: StoreReceiptSettings) -> [ConfigurationProblem] {
        var found: [ConfigurationProblem] = []
        found += focus.problems(isOffered: offered.contains(.focus), appStore: appStore)
        found += companion.problems(isOffered: offered.contains(.companion), appStore: appStore)
        return found
    }
}
