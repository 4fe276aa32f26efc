import FeatureKit

enum VerificationTag {}
/// A request for a sign-in code.
typealias VerificationID = ID<VerificationTag>
