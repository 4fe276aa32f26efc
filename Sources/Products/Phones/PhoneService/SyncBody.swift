import Foundation

/// The members that the bodies of the products' syncs have in common.
package protocol SyncBody {
    associatedtype Event: SyncBodyEvent

    var clientTime: Date { get }
    var bootID: String? { get }
    var uptime: Int? { get }
    var events: [Event] { get }
}

package protocol SyncBodyEvent {
    var seq: Int { get }
    var at: Date { get }
    var bootID: String? { get }
    var uptime: Int? { get }
    var day: String? { get }
    var minutes: Int? { get }
    var final: Bool? { get }
}
