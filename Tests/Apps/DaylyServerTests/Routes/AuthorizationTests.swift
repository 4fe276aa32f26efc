import DaylyTesting
import FeatureKit
import Foundation
import NIOCore
import Postgres
import Testing

/// Every route by everybody who might try it.
@Suite("Who may call what")
struct AuthorizationTests {
    /// Guard: every route has a rule for who may call it (`RouteRule.all`)
    @Test("every route that is served has a rule")
    func complete() async throws {
        let folder = try TemporaryFolder()
        let composition = try await Fixture.composition(in: folder)
        await composition.close()
        let served = Set(composition.routes.map { RouteRule.name($0.method.rawValue, $0.template) })
        let ruled = Set(RouteRule.all.map(\.name))
        #expect(served.subtracting(ruled).sorted() == [], "served, but RouteRule.all says nothing of it")
        #expect(ruled.subtracting(served).sorted() == [], "in RouteRule.all, but not served")
        #expect(RouteRule.all.count == ruled.count, "each has one rule")
    }

    @Test("those who may, can: what the others below are refused fails for who they are alone")
    func control() async throws {
        try await withMatrix { matrix in
            for rule in RouteRule.all {
                let scene = try await matrix.service.scene()
                var reach = Reach(scene)
                // The owner removes the other one.
                reach.values["member"] = scene.member.name
                let token: String? = if case .open = rule.access { nil } else { scene.owner.token }
                let answer = try await matrix.call(rule, reach, token: token)
                #expect(answer.status == rule.access.status, "\(rule.name): \(answer.text.prefix(200))")
            }
        }
    }

    /// Guard: a call that only reads answers nobody whose session has ended: its session is checked in the
    /// same message (`Authenticator.caller`, `SessionStore.probe`)
    /// Guard: a bad token opens no route; a ticket opens its own upload while its session lives
    /// (`Authenticator`, `SessionStore.probe`, `PhotoRoutes.uploader`)
    @Test("without a token that is good every call but the open ones is the same 401, and those do not care")
    func credentials() async throws {
        try await withMatrix { matrix in
            let scene = try await matrix.service.scene()
            let tokens = try await matrix.badTokens(for: scene)
            try await matrix.settle()
            let before = try await matrix.service.rows()
            var refusals: Set<String> = []
            for rule in RouteRule.all {
                if case .open = rule.access { continue }
                for (role, token) in tokens {
                    var reach = Reach(scene)
                    // Where a ticket is good, it is the one for another group.
                    if role == .ticket { reach.values["group"] = UUID.version7().uuidString }
                    let answer = try await matrix.call(rule, reach, token: token)
                    #expect(answer.status == 401, "\(rule.name) by \(role)")
                    #expect(
                        answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true,
                        "\(rule.name) by \(role)")
                    refusals.insert(answer.problem)
                }
            }
            #expect(refusals.count == 1, "\(refusals)")
            #expect(try await matrix.service.rows() == before, "a refused call changed something")
            for rule in RouteRule.all {
                guard case .open(let status) = rule.access else { continue }
                for (role, token) in tokens {
                    let answer = try await matrix.call(rule, Reach(scene), token: token)
                    #expect(answer.status == status, "\(rule.name) by \(role)")
                }
            }
        }
    }

    /// Guard: outsiders get one 404 everywhere (`GroupStore`, `InvitationStore`, `PhotoStore`,
    /// `SessionStore`)
    @Test("who has no business there gets the same 404 from every route, as if there were nothing")
    func outsiders() async throws {
        try await withMatrix { matrix in
            let outsiders = try await matrix.outsiders()
            #expect(Set(outsiders.map(\.role)).count == Outsider.Role.allCases.count)
            try await matrix.settle()
            let before = try await matrix.service.rows()
            var answers: Set<String> = []
            for rule in RouteRule.all {
                guard case .insiders = rule.access else { continue }
                for outsider in outsiders {
                    let answer = try await matrix.call(rule, outsider.reach, token: outsider.token)
                    #expect(answer.status == 404, "\(rule.name) by \(outsider.role)")
                    answers.insert(answer.problem)
                }
            }
            #expect(answers.count == 1, "\(answers)")
            #expect(answers.first?.contains("code=not_found") == true)
            #expect(try await matrix.service.rows() == before, "a refused call changed something")
        }
    }

    @Test("a member of two groups reaches nothing of the one by way of the other")
    func acrossGroups() async throws {
        try await withMatrix { matrix in
            let (one, other) = (try await matrix.service.scene(), try await matrix.service.scene())
            try await matrix.service.join(one.owner, other.group)
            let path = "/v1/groups/\(one.group)/members/\(other.member.name)"
            let answer = try await matrix.service.call("DELETE", path, token: one.owner.token)
            #expect(answer.status == 404)
            let members = try await matrix.service.postgres.query("SELECT user_id FROM group_members")
            #expect(members.count == 5)
        }
    }
}

/// The faults of a bad token.
private enum BadToken: CaseIterable {
    case none, garbage, expired, refreshToken, signedOut, deletedUser, otherServer, ticket, signedOutTicket
}

/// Somebody signed in who reaches for what is not theirs.
private struct Outsider: Sendable {
    enum Role: CaseIterable {
        case nonMember, removedMember, memberWhoLeft, blocked, anotherGroupsMember, deletedGroup, unknownID
        case malformedID
    }

    let role: Role
    let token: String
    let reach: Reach
}

private func withMatrix(_ body: @escaping @Sendable (Matrix) async throws -> Void) async throws {
    try await WholeService.run(["DAYLY_LIMITS_ENFORCE_RATES": "false"]) {
        try await body(Matrix(service: $0))
    }
}

private struct Matrix: Sendable {
    let service: WholeService

    func call(_ rule: RouteRule, _ reach: Reach, token: String?) async throws -> HTTPAnswer {
        try await service.call(rule, reach, token: token)
    }

    /// Makes the notes that the first call of a day makes, so that a refused call cannot change anything.
    func settle() async throws {
        try await service.postgres.execute(
            "UPDATE users SET last_active_on = (now() AT TIME ZONE 'UTC')::date")
    }

    func badTokens(for scene: WholeService.Scene) async throws -> [(BadToken, String?)] {
        let owner = scene.owner
        let second = try await Fixtures.session(in: service.postgres, of: owner.id)
        let secondToken = try await service.token(of: owner.id, second)
        let lateTicket = try await ticket(scene, token: secondToken)
        let ended = try await service.call(
            "DELETE", "/v1/auth/sessions/\(second.resourceID)", token: owner.token)
        #expect(ended.status == 204)
        let gone = try await service.person()
        #expect(try await service.call("DELETE", "/v1/users/me", token: gone.token).status == 204)
        return try await BadToken.allCases.asyncMap { role in
            switch role {
            case .none: (role, nil)
            case .garbage: (role, "nonsense")
            case .expired: (role, try await service.token(of: owner.id, owner.session, age: 901))
            case .refreshToken: (role, owner.refreshToken)
            case .signedOut: (role, secondToken)
            case .deletedUser: (role, gone.token)
            case .otherServer:
                (
                    role,
                    try await Fixtures.accessTokens().issue(
                        user: owner.id, session: owner.session, now: Date())
                )
            case .ticket: (role, try await ticket(scene, token: owner.token))
            case .signedOutTicket: (role, lateTicket)
            }
        }
    }

    private func ticket(_ scene: WholeService.Scene, token: String) async throws -> String {
        let answer = try await service.call(
            "POST", "/v1/groups/\(scene.group)/upload-tickets", token: token,
            body: #"{"idempotency_key": "ticket"}"#)
        return try #require(answer.members["ticket"] as? String, "\(answer.text)")
    }

    func outsiders() async throws -> [Outsider] {
        let scene = try await service.scene()
        return try await Outsider.Role.allCases.asyncMap { role in
            let person = try await service.person(name: "Eve")
            try await service.joinFocus(person.id)
            try await service.joinCompanion(person.id)
            let reach = try await reach(of: person, as: role, for: scene)
            return Outsider(role: role, token: person.token, reach: reach)
        }
    }

    /// Makes somebody what the role says.
    private func reach(
        of person: Person, as role: Outsider.Role, for scene: WholeService.Scene
    ) async throws -> Reach {
        let membership = "/v1/groups/\(scene.group)/members/\(person.name)"
        switch role {
        case .nonMember: break
        case .removedMember:
            try await service.join(person, scene.group)
            #expect(try await service.call("DELETE", membership, token: scene.owner.token).status == 204)
        case .memberWhoLeft:
            try await service.join(person, scene.group)
            let path = "/v1/groups/\(scene.group)"
            #expect(try await service.call("DELETE", path, token: person.token).status == 204)
        case .blocked:
            try await service.join(person, scene.group)
            let path = "/v1/users/\(person.name)/block"
            #expect(try await service.call("POST", path, token: scene.owner.token).status == 204)
        case .anotherGroupsMember:
            let other = try await service.scene()
            try await service.join(person, other.group)
        case .deletedGroup:
            let gone = try await service.scene()
            try await service.join(person, gone.group)
            for member in [gone.owner, gone.member, person] {
                let path = "/v1/groups/\(gone.group)"
                #expect(try await service.call("DELETE", path, token: member.token).status == 204)
            }
            return Reach(gone)
        case .unknownID, .malformedID:
            var reach = Reach(scene)
            for name in [
                "group", "member", "photo", "invite", "session", "phone", "focus_session", "schedule",
                "intention", "memorial",
            ] {
                reach.values[name] = role == .unknownID ? UUID.version7().uuidString : "not-an-id"
            }
            return reach
        }
        return Reach(scene)
    }
}

extension WholeService {
    func call(_ rule: RouteRule, _ reach: Reach, token: String?) async throws -> HTTPAnswer {
        let path = reach.fill(rule.path)
        switch rule.body {
        case .none: return try await call(rule.method, path, token: token)
        case .json(let text): return try await call(rule.method, path, token: token, body: reach.fill(text))
        case .keyedJSON(let text):
            return try await call(
                rule.method, path, token: token, bytes: ByteBuffer(string: reach.fill(text)),
                type: "application/json", idempotencyKey: UUID().uuidString)
        case .picture:
            return try await call(
                rule.method, path, token: token, bytes: ByteBuffer(bytes: Pictures.png()),
                type: "image/png")
        }
    }
}

extension Reach {
    /// Ids that the owner of a scene can reach, and ids that belong to no scene.
    init(_ scene: WholeService.Scene) {
        values = [
            "group": "\(scene.group)".lowercased(), "member": scene.owner.name,
            "photo": "\(scene.photo)".lowercased(), "invite": "\(scene.invite)".lowercased(),
            "session": scene.owner.session.resourceID.description, "code": "ABC234",
            "device": "nonsense", "nickname": scene.nickname,
            "problem": "not_found", "file": "photos/none.jpg", "icon": "icon.svg",
            "version": "0123456789abcdef", "module": "app/main.js", "cosmetic": "red_scarf",
            "phone": "\(scene.phone)".lowercased(), "monday": "2026-03-02", "day": "2026-03-02",
            "focus_session": "\(scene.focusSession)".lowercased(),
            "schedule": "\(scene.schedule)".lowercased(),
            "intention": "\(scene.intention)".lowercased(),
            "memorial": "\(scene.memorial)".lowercased(),
        ]
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
