/// Which contacts push services take. Apple answers BadJwtToken to every message whose contact has a domain that does not exist on
/// the internet.
package enum WebPushContact {
    /// Last labels of names that exist for nobody, or in one network only (RFC 2606, 6762, 8375, and what routers give out).
    private static let reserved: Set<Substring> = [
        "example", "test", "invalid", "localhost", "local", "localdomain", "internal", "intranet", "private",
        "corp", "home",
        "lan", "arpa", "onion",
    ]

    /// The domain of a `mailto:` or `https:` URL, where others than its owner can know it; nil for an address in numbers.
    package static func publicDomain(of contact: String) -> Substring? {
        let place =
            contact.split(
                separator: contact.hasPrefix("mailto:") ? "@" : "/", omittingEmptySubsequences: true
            ).dropFirst()
            .first ?? ""
        let domain = place.lowercased().prefix { !":?#".contains($0) }
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let last = labels.last, last.count > 1, !reserved.contains(last) else {
            return nil
        }
        let areNames = labels.allSatisfy { label in
            !label.isEmpty && label.first != "-" && label.last != "-"
                && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
        }
        return areNames && last.contains { $0.isLetter } ? domain : nil
    }
}
