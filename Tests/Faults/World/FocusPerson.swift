import FocusAPI
import DaylyAPI
import DaylyTesting
import Foundation

/// A user of Focus with a phone.
final class FocusPerson: ActingPerson {
    let client: Client
    let device = UUID()
    /// The place among the people of the stage.
    let index: Int
    /// An intention of the person, and what purchases must carry.
    let intention: String
    let accountToken: UUID
    let performed = NumberedActs()
    private let url: String

    /// Signs in and joins.
    static func join(_ world: World, _ index: Int, at url: String) async throws -> FocusPerson {
        let client = Client(world, 10 + index)
        try await client.signIn(at: url)
        let profile = await client.call("PUT", "/v1/focus/profile", #"{"consent": "1"}"#, at: url)
        let intention = await client.call(
            "POST", "/v1/focus/intentions", #"{"label": "Videos", "opens": 50, "minutes": 5}"#, at: url)
        guard let token = profile?.member("app_account_token").flatMap(UUID.init(uuidString:)),
            let intention = intention?.member("id")
        else { throw ProxyError(description: "nobody joins Focus: \(String(describing: profile))") }
        let person = FocusPerson(client, index, intention: intention, token: token, at: url)
        let phone = await person.call(
            "PUT", "devices/\(person.device)", #"{"platform": "android", "setup": "verified"}"#)
        guard phone?.status == 200 else {
            throw ProxyError(description: "no phone in Focus: \(String(describing: phone))")
        }
        return person
    }

    private init(_ client: Client, _ index: Int, intention: String, token: UUID, at url: String) {
        (self.client, self.index, self.intention, accountToken) = (client, index, intention, token)
        self.url = url
    }

    /// A call of Focus; nil: its answer was lost.
    func call(_ method: String, _ path: String, _ body: String? = nil, key: String? = nil) async
        -> HTTPAnswer?
    {
        await client.call(method, "/v1/focus/\(path)", body, key: key, at: url)
    }

    /// The events of Focus in the export of the account: their numbers.
    func exportedEvents() async throws -> [Int] {
        struct Export: Decodable {
            struct Focus: Decodable {
                struct Event: Decodable { let seq: Int }
                let events: [Event]
            }
            let focus: Focus
        }
        guard let answer = await client.call("GET", "/v1/users/me/export", at: url), answer.status == 200
        else {
            throw ProxyError(description: "no export")
        }
        return try answer.decode(Export.self).focus.events.map(\.seq)
    }
}
