import DeviceIntake
import FocusRules

/// How far a phone knows the events of its user's other phones.
///
/// As text: `1_<since>_<number>-<seq>_…`, numbers in decimal.
struct FocusSyncCursor: Sendable, Equatable {
    /// Events before it are left out: 7 days before the first sync without a cursor.
    let since: Instant
    /// The last `seq` that the phone knows, by phone.
    private(set) var known: [DeviceNumber: Int] = [:]

    init(since: Instant) {
        self.since = since
    }

    /// nil for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts.count <= 1_000, parts[0] == "1", let since = Int(parts[1]), since >= 0
        else { return nil }
        self.since = since
        for part in parts.dropFirst(2) {
            let pair = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard pair.count == 2, let number = pair[0], let seq = pair[1], number > 0, seq >= 0,
                known.updateValue(seq, forKey: number) == nil
            else { return nil }
        }
        guard self.text == text else { return nil }
    }

    var text: String {
        (["1", "\(since)"] + known.sorted { $0.key < $1.key }.map { "\($0.key)-\($0.value)" })
            .joined(separator: "_")
    }

    mutating func know(_ number: DeviceNumber, upTo seq: Int) {
        known[number] = seq
    }

    /// Forgets phones that are deleted.
    mutating func keep(_ numbers: Set<DeviceNumber>) {
        known = known.filter { numbers.contains($0.key) }
    }

    /// Whether the service can have given the cursor to a phone of this user.
    func isPossible(for state: FocusUserState) -> Bool {
        guard since <= state.member.now else { return false }
        let acknowledged = Dictionary(
            uniqueKeysWithValues: state.devices.map { ($0.number, $0.intake.acknowledged) })
        return known.allSatisfy { number, seq in
            number <= state.lastDeviceNumber && seq <= acknowledged[number] ?? .max
        }
    }
}
