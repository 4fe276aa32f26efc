import DaylyClientTesting

extension FakeService {
    /// Adds Companion: a day of UTC, a pet and a shop.
    ///
    /// - Parameter hasJoined: whether the user takes part, with a day of four bypasses and a pet.
    @discardableResult
    public func withCompanion(hasJoined: Bool = true) -> FakeService {
        offer { scene in
            var companion = FakeCompanion(scene: scene)
            if hasJoined { companion.join() }
            return companion
        }
        return self
    }
}
