import Auth
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import HTTPKit
import HTTPTesting
import HTTPTypes
import Hummingbird
import Logging
import Messaging
import Postgres
import RateLimiting
import Testing

/// Groups and invitations over a database of their own, with their routes.
struct GroupsWorld: TestWorld {
    let postgres: PostgresClient
    /// The database client of a second instance of the service, where there is one.
    let second: PostgresClient?
    let gateway: RecordingSMSGateway
    let accounts: Accounts
    let feature: GroupsFeature
    let optOuts: OptOutStore
    private let rules: GroupSettings

    var groups: GroupService { feature.service }
    var invites: InvitationService { feature.invitations }

    /// The options of a world.
    struct Options: Sendable {
        var rules = GroupSettings()
        var ratesEnforced = true
        var messageLimits = MessageCeiling.Limits()
        var queueCapacity = 1_000
        /// With two, calls go to either by turns, each with connections of its own.
        var instances = 1
        var downloadLink: String?
        var hooks = GroupHooks()
        var makeCode: @Sendable () -> InvitationCode = { .random() }
    }

    /// - Parameter change: the differences from the defaults.
    static func run(
        _ change: (inout Options) -> Void = { _ in },
        _ body: @escaping @Sendable (GroupsWorld, API) async throws -> Void
    ) async throws {
        var options = Options()
        change(&options)
        let gateway = RecordingSMSGateway()
        try await withDatabase { postgres in
            let accounts = try await Fixtures.accounts(postgres)
            try await gateway.withQueue(capacity: options.queueCapacity) { queue in
                let second = options.instances == 2 ? Self.anotherClient(postgres) : nil
                let world = GroupsWorld(postgres, second, gateway, queue, options, accounts)
                let twin = second.map { GroupsWorld($0, nil, gateway, queue, options, accounts) } ?? world
                try await withClient(
                    of: world.feature.routes, authenticator: HeaderCallers(postgres: world.postgres)
                ) { one in
                    try await withClient(
                        of: twin.feature.routes, authenticator: HeaderCallers(postgres: twin.postgres)
                    ) {
                        try await body(world, API(clients: [one, $0]))
                    }
                }
                await second?.close()
            }
        }
    }

    private static func anotherClient(_ postgres: PostgresClient) -> PostgresClient {
        var configuration = postgres.configuration
        configuration.maxConnections = 4
        return PostgresClient(configuration: configuration, logger: .silent)
    }

    private init(
        _ postgres: PostgresClient, _ second: PostgresClient?, _ gateway: RecordingSMSGateway,
        _ queue: SMSQueue, _ options: Options, _ accounts: Accounts
    ) {
        self.postgres = postgres
        self.second = second
        self.gateway = gateway
        self.accounts = accounts
        rules = options.rules
        optOuts = OptOutStore(postgres: postgres, hashes: Fixtures.numberHashes)
        feature = GroupsFeature(
            options.rules,
            links: InvitationLinks(publicURL: "https://dayly.test", download: options.downloadLink),
            platform: .testing(
                postgres, enforceRates: options.ratesEnforced, messageLimits: options.messageLimits,
                sms: queue),
            accounts: accounts, pushes: nil, hooks: options.hooks, makeCode: options.makeCode)
    }

    func view(of group: GroupID, for user: UserID) async throws -> GroupView {
        let (views, caller) = (groups.views, caller(user))
        let summaries = try await views.summaries(for: caller, only: group)
        return try #require(await views.views(of: summaries, for: caller, only: group).first)
    }

    func sweep(batchSize: Int = 1_000) -> GroupSweep {
        GroupSweep(
            postgres: postgres, hashes: Fixtures.numberHashes, rules: rules,
            batchSize: batchSize)
    }
}

// MARK: Fixtures

extension GroupsWorld {
    /// A user; `n` makes the number.
    func person(_ n: Int, name: String? = nil, timeZone: String = "UTC") async throws -> Person {
        guard let number = PhoneNumber(rawValue: Self.number(n)) else {
            preconditionFailure("not a phone number: \(Self.number(n))")
        }
        return try await person(number: number, name: name, timeZone: timeZone)
    }

    func people(_ range: Range<Int>) async throws -> [Person] {
        var people: [Person] = []
        for n in range { people.append(try await person(n, name: "P\(n)")) }
        return people
    }

    static func number(_ n: Int) -> String {
        "+1415555" + String(String(n + 10_000).dropFirst())
    }

    func group(_ name: String = "Family", of members: [Person]) async throws -> GroupID {
        try await group(name, of: members.map(\.id))
    }

    /// An open invitation.
    func invite(_ number: String, to group: GroupID, by inviter: Person? = nil) async throws -> InvitationCode
    {
        let code = InvitationCode.random()
        try await postgres.execute(
            """
            INSERT INTO invites (id, code, group_id, phone_number, invited_by, expires_at)
            VALUES (\(UUID.version7()), \(code), \(group), \(number), \(inviter?.id as UserID?),
                now() + interval '7 days')
            """)
        return code
    }

    func memberCount(of group: GroupID) async throws -> Int {
        try await count("SELECT count(*) AS count FROM group_members WHERE group_id = \(group)")
    }

    func groupCount(of person: Person) async throws -> Int {
        try await count("SELECT count(*) AS count FROM group_members WHERE user_id = \(person.id)")
    }

    func exists(_ group: GroupID) async throws -> Bool {
        try await count("SELECT count(*) AS count FROM groups WHERE id = \(group)") == 1
    }
}
