extension Invitation {
    /// The result for one invited number.
    public enum Outcome: String, Codable, Sendable {
        case invited
        /// A member by an earlier invitation of the caller. Other members' numbers are reported as invited.
        case alreadyMember = "already_member"
    }
}
