/// The ids of foods and cosmetics, and categories: `[a-z0-9_]{1,32}`.
package func isCatalogueID(_ text: String) -> Bool {
    (1...32).contains(text.unicodeScalars.count) && text.unicodeScalars.allSatisfy(isIDScalar)
}

/// The names of feature flags: `[a-z0-9_.]{1,64}`.
package func isFlagKey(_ text: String) -> Bool {
    (1...64).contains(text.unicodeScalars.count)
        && text.unicodeScalars.allSatisfy { $0 == "." || isIDScalar($0) }
}

private func isIDScalar(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "_"
}
