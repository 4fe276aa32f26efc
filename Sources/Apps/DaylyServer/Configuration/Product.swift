/// A product that a deployment offers on its accounts and groups.
package enum Product: String, CaseIterable, Sendable {
    case photos, focus, companion
}
