extension Duration {
    /// Whole seconds for a header such as `Retry-After`: rounded up, and at least 1.
    package var wholeSecondsRoundedUp: Int64 {
        max(1, components.attoseconds > 0 ? components.seconds + 1 : components.seconds)
    }

    var milliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }

    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
