import CompanionAPI
import DaylyAPI
import DaylyTesting
import Foundation
import StoreTesting
import Synchronization

/// A user of Companion with two phones and a pet.
final class CompanionPerson: ActingPerson {
    let client: Client
    let phones = [UUID(), UUID()]
    /// The place among the people of the stage.
    let index: Int
    /// The token that purchases must carry.
    let accountToken: UUID
    let performed = NumberedActs()
    private let url: String
    private let lastEnded = Mutex("")

    /// Signs in and joins, with a limit of two hours.
    static func join(_ world: World, _ index: Int, at url: String) async throws -> CompanionPerson {
        let client = Client(world, 10 + index)
        try await client.signIn(at: url)
        let settings = await client.call(
            "PUT", "/v1/companion/settings", #"{"consent": "1", "limit_minutes": 120}"#, at: url)
        let wallet = await client.call("GET", "/v1/companion/wallet", at: url)
        guard settings?.status == 200, let token = try wallet?.decode(CompanionWallet.self).appAccountToken
        else { throw ProxyError(description: "nobody joins Companion: \(String(describing: settings))") }
        return CompanionPerson(client, index, token: token.uuid, at: url)
    }

    private init(_ client: Client, _ index: Int, token: UUID, at url: String) {
        (self.client, self.index, accountToken) = (client, index, token)
        self.url = url
    }

    var species: String { index % 2 == 0 ? "cat" : "dog" }

    /// A call of Companion; nil: its answer was lost.
    func call(_ method: String, _ path: String, _ body: String? = nil, key: String? = nil) async
        -> HTTPAnswer?
    {
        await client.call(method, "/v1/companion/\(path)", body, key: key, at: url)
    }

    // MARK: - Situations

    /// Ends the running day by SQL, and remembers its name.
    func endDay() async throws {
        let day = try await client.world.passCompanionDays(of: client.id)
        lastEnded.withLock { $0 = day }
    }

    /// The last report of a phone about the day that ended last.
    func report(_ minutes: Int, byPhone place: Int, _ number: Int) async -> HTTPAnswer? {
        let body = body("report \(number) of phone \(place)") {
            """
            {"device_id": "\(phones[place])", "client_time": "\(Date().ISO8601Format())", "events": [
            {"seq": \(number), "at": "\(Date().ISO8601Format())", "kind": "usage", "final": true,
            "day": "\(lastEnded.withLock { $0 })", "minutes": \(minutes)}]}
            """
        }
        return await call("POST", "sync", body)
    }

    /// Gets 150 energy for each of the days, which pass without any use of the phones.
    func earn(days: Int) async throws {
        for number in 0..<days {
            try await endDay()
            guard let answer = await report(0, byPhone: 0, number + 1), answer.status == 200 else {
                throw ProxyError(description: "\(client.name) cannot report a day")
            }
        }
    }

    func adopt() async throws {
        let body = #"{"species": "\#(species)", "name": "Momo"}"#
        guard let answer = await call("POST", "pet", body, key: "adoption"), answer.status == 201 else {
            throw ProxyError(description: "\(client.name) cannot adopt a pet")
        }
    }

    // MARK: - Purchases

    /// The body that sends a transaction of the App Store.
    func purchase(_ id: String, of product: String, in store: TestAppStore, isRevoked: Bool = false) throws
        -> String
    {
        #"{"signed_transaction": "\#(try transaction(id, of: product, in: store, isRevoked: isRevoked))"}"#
    }

    /// The body of a notification by which the App Store takes the transaction back.
    func refund(_ id: String, of product: String, in store: TestAppStore) throws -> String {
        let transaction = try transaction(id, of: product, in: store, isRevoked: true)
        return #"{"signedPayload": "\#(try store.notification("REFUND", about: transaction))"}"#
    }

    private func transaction(
        _ id: String, of product: String, in store: TestAppStore, isRevoked: Bool
    ) throws -> String {
        var members: [String: any Sendable] = [
            "transactionId": id, "productId": product, "appAccountToken": accountToken.uuidString,
        ]
        if isRevoked { members["revocationDate"] = TestAppStore.milliseconds(Date()) }
        return try store.transaction(members)
    }

    // MARK: - Looking

    func wallet() async throws -> CompanionWallet { try await get("wallet") }

    func pet() async throws -> CompanionPet { try await get("pet") }

    /// The whole ledger, the newest entry first.
    func ledger() async throws -> [CompanionLedgerEntry] {
        var (entries, cursor) = ([CompanionLedgerEntry](), String?.none)
        repeat {
            let page: CompanionLedgerPage = try await get("ledger" + (cursor.map { "?cursor=\($0)" } ?? ""))
            entries += page.entries
            cursor = page.cursor
        } while cursor != nil
        return entries
    }

    private func get<Value: Decodable>(_ path: String) async throws -> Value {
        guard let answer = await call("GET", path), answer.status == 200 else {
            throw ProxyError(description: "\(client.name) cannot get \(path)")
        }
        return try answer.decode()
    }
}
