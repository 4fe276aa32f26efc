import Glibc

/// The energy of a day: `companion.energy_max` and `companion.gamma`.
package struct AwardRules: Hashable, Sendable {
    package let energyMax: Int
    package let gamma: Double

    package init(energyMax: Int = 150, gamma: Double = 1) {
        self.energyMax = energyMax
        self.gamma = gamma
    }

    /// The energy of a day at its closing. An award of 0 makes no entry in the ledger.
    /// - Parameters:
    ///   - day: nil for a day without a report.
    ///   - dayBefore: nil on the account's first day; ``UseRatio/unreported`` if that day had no report.
    /// - Returns: nil for a day without a report.
    package func award(for day: UseRatio?, dayBefore: UseRatio?) -> Int? {
        guard let day else { return nil }
        let before = dayBefore ?? day
        // 1 − m as a fraction, m being the mean of the two ratios.
        let denominator = 2 * day.limitMinutes * before.limitMinutes
        let used = day.usedMinutes * before.limitMinutes + before.usedMinutes * day.limitMinutes
        let unused = max(0, denominator - used)
        if gamma == 1 {
            return (2 * energyMax * unused + denominator) / (2 * denominator)
        }
        let share = Double(unused) / Double(denominator)
        return Int((Double(energyMax) * pow(share, gamma) + 0.5).rounded(.down))
    }
}
