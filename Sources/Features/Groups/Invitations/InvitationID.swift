import FeatureKit

package enum InvitationTag {}
/// An offer to join one group.
package typealias InvitationID = ID<InvitationTag>
