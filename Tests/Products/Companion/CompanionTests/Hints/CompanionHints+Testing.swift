import DaylyTesting
import FeatureKit
import Testing

extension HeardHints {
    /// The names of the hints since the last call, each once. A test fails for a hint that others than this person get, or
    /// that says more than its name.
    func names(to person: Person) -> [String] {
        let hints = take()
        let isSecret = hints.allSatisfy { $0.users == [person.id] && $0.data == "{}" }
        #expect(isSecret, "\(hints)")
        return Set(hints.map(\.name)).sorted()
    }
}
