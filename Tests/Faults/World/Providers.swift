import Foundation
import PushTesting

/// The push services that a world's devices are reached by: fakes that refuse what the real ones refuse.
package struct Providers: Sendable {
    let apns: FakeAPNS
    let fcm: FakeFCM

    /// Serves until `body` ends.
    static func run<Value: Sendable>(
        _ body: @Sendable @escaping (Providers) async throws -> Value
    ) async throws -> Value {
        try await FakeAPNS.run { apns in
            try await FakeFCM.run { fcm in try await body(Providers(apns: apns, fcm: fcm)) }
        }
    }

    /// The receiver of messages for Android behind the proxies. Messages for iOS go to the fake of Apple over TLS.
    var port: UInt16? { URL(string: fcm.url)?.port.flatMap(UInt16.init(exactly:)) }

    func settings(in folder: URL) throws -> [String: String] {
        ["push.kind": "apns,fcm"].merging(try apns.settings(in: folder)) { $1 }
            .merging(try fcm.settings(in: folder)) { $1 }
    }

    /// Messages that a real provider would not have accepted, except for truncated ones.
    var violations: [String] {
        (apns.record.violations + fcm.record.violations).filter { $0 != "PayloadEmpty" }
    }

    /// Messages about new photos that Apple accepted. Google's messages cannot be told from one another.
    var deliveries: [Delivery] {
        apns.record.accepted.compactMap { push in
            let topic = (push.headers["apns-collapse-id"] ?? "").split(separator: ".").map(String.init)
            guard topic.count == 3, topic[0] == "photo", let id = push.headers["apns-id"] else { return nil }
            return Delivery(id: id, device: push.token, group: topic[1], day: topic[2])
        }
    }

    /// Whether both of somebody's devices show that there is a photo in the group.
    func haveTold(_ person: Client, of group: String) -> Bool {
        deliveries.contains { $0.device == person.iPhone && $0.group == group }
            && fcm.record.accepted.contains { $0.text.contains(person.android) && $0.text.contains(group) }
    }
}

/// A message about a group's new photos that a device shows.
package struct Delivery: Sendable {
    /// The same however often one message is sent: the device shows it once.
    package var id: String
    package var device: String
    package var group: String
    /// The reader's.
    package var day: String

    package init(id: String, device: String, group: String, day: String) {
        self.id = id
        self.device = device
        self.group = group
        self.day = day
    }
}
