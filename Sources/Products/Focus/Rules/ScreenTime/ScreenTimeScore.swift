/// The judgement of a day's screen time.
package struct ScreenTimeScore: Hashable, Sendable {
    /// From 0 to 1,000 tenths: a point is lost with every ten minutes.
    package let tenths: Int
    /// Points for leagues.
    package let usagePoints: Int

    package init(minutes: Int) {
        tenths = max(0, 1_000 - minutes)
        let byHour = [100, 75, 60, 50, 40, 30, 20, 10]
        let hour = max(0, minutes / 60)
        usagePoints = hour < byHour.count ? byHour[hour] : 0
    }

    package var score: Double { Double(tenths) / 10 }
}
