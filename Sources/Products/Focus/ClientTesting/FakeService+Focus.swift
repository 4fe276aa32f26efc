import DaylyClientTesting

extension FakeService {
    /// Adds Focus with the days of UTC: streaks, sessions and boards.
    ///
    /// - Parameter hasJoined: whether the user takes part, with the streaks of a morning.
    @discardableResult
    public func withFocus(hasJoined: Bool = true) -> FakeService {
        offer { scene in
            var focus = FakeFocus(scene: scene)
            if hasJoined { focus.join() }
            return focus
        }
        return self
    }
}
