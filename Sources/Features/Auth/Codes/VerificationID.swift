import FeatureKit

package enum VerificationTag {}
/// A request for a sign-in code.
package typealias VerificationID = ID<VerificationTag>
