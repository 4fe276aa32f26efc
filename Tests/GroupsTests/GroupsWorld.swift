import Auth
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import HTTPKit
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Messaging
import Postgres
import RateLimiting

/// Groups and invitations over a database of their own, with their routes and what tests need to set them up.
struct World: Sendable {
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

    struct Person: Sendable {
        let id: UserID
        let number: String
    }

    /// The options of a world.
    struct Options: Sendable {
        var rules = GroupSettings()
        var ratesEnforced = true
        var messageLimits = MessageCeiling.Limits()
        var queueCapacity = 1_000
        /// With two, calls go to either by turns, each with connections of its own.
        var instances = 1
        var downloadLink: String?
        var makeCode: @Sendable () -> InvitationCode = { .random() }
    }

    /// - Parameter change: what differs from the defaults.
    static func run(
        _ change: (inout Options) -> Void = { _ in },
        _ body: @escaping @Sendable (World, API) async throws -> Void
    ) async throws {
        var options = Options()
        change(&options)
        try await withDatabase { postgres in
            let gateway = RecordingSMSGateway()
            var configuration = SMSQueue.Configuration()
            configuration.capacity = options.queueCapacity
            let logger = Logger.silent
            let queue = SMSQueue(gateway: gateway, configuration: configuration, logger: logger)
            let second = options.instances == 2 ? Self.anotherClient(postgres, logger) : nil
            let world = World(
                postgres, second, gateway, queue, options, try await Fixtures.accounts(postgres))
            let delivery = options.queueCapacity > 0 ? Task { try await queue.run() } : nil
            defer { delivery?.cancel() }
            let app = Application(responder: world.router().buildResponder())
            let twin = second.map { World($0, nil, gateway, queue, options, world.accounts) } ?? world
            let other = Application(responder: twin.router().buildResponder())
            try await app.test(.router) { client in
                guard second != nil else { return try await body(world, API(clients: [client])) }
                try await other.test(.router) { try await body(world, API(clients: [client, $0])) }
            }
            await second?.close()
        }
    }

    private static func anotherClient(_ postgres: PostgresClient, _ logger: Logger) -> PostgresClient {
        var configuration = postgres.configuration
        configuration.maxConnections = 4
        return PostgresClient(configuration: configuration, logger: logger)
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
        optOuts = OptOutStore(postgres: postgres, hashes: NumberHashes(secret: Fixtures.secret))
        feature = GroupsFeature(
            options.rules,
            links: InvitationLinks(publicURL: "https://dayly.test", download: options.downloadLink),
            platform: .testing(
                postgres, enforceRates: options.ratesEnforced, messageLimits: options.messageLimits,
                sms: queue),
            accounts: accounts, pushes: nil, makeCode: options.makeCode)
    }

    func sweep(batchSize: Int = 1_000) -> GroupSweep {
        GroupSweep(
            postgres: postgres, hashes: NumberHashes(secret: Fixtures.secret), rules: rules,
            batchSize: batchSize)
    }

    private func router() -> AppRouter {
        let router = AppRouter()
        router.group("v1").add(feature.routes, authenticator: IdentityFromHeader())
        return router
    }
}

/// Stands in for the authenticator: who calls is named in a header.
private struct IdentityFromHeader: RouterMiddleware {
    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let id = request.headers[.testUser].flatMap(UUID.init(uuidString:)) {
            context.identity = Identity(userID: id, sessionID: UUID())
        }
        return try await next(request, context)
    }
}

extension HTTPField.Name {
    static var testUser: HTTPField.Name {
        HTTPField.Name("X-Test-User").unsafelyUnwrapped
    }
}

// MARK: Fixtures

extension World {
    /// A user; `n` makes the number.
    func person(
        _ n: Int, name: String? = nil, timeZone: String = "UTC"
    ) async throws -> Person {
        let person = Person(id: UserID(rawValue: .version7()), number: Self.number(n))
        try await postgres.execute(
            """
            INSERT INTO users (id, phone_number, first_name, time_zone)
            VALUES (\(person.id), \(person.number), \(name as String?), \(timeZone))
            """)
        return person
    }

    func people(_ range: Range<Int>) async throws -> [Person] {
        var people: [Person] = []
        for n in range { people.append(try await person(n, name: "P\(n)")) }
        return people
    }

    static func number(_ n: Int) -> String {
        "+1415555" + String(String(n + 10_000).dropFirst())
    }

    /// A group with these members, the first of them first.
    func group(_ name: String = "Family", of members: [Person]) async throws -> GroupID {
        let id = GroupID(rawValue: .version7())
        try await postgres.execute("INSERT INTO groups (id, name) VALUES (\(id), \(name))")
        for (index, member) in members.enumerated() {
            try await postgres.execute(
                """
                INSERT INTO group_members (group_id, user_id, joined_at)
                VALUES (\(id), \(member.id), now() - interval '1 hour' + \(index) * interval '1 second')
                """)
        }
        return id
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

    func count(_ sql: SQL) async throws -> Int {
        try await postgres.first(sql)?.get("count") ?? -1
    }
}
