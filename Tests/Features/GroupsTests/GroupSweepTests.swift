import Foundation
@testable import Groups
import Postgres
import Testing

@Suite struct GroupSweepTests {
    @Test("invitations that ended more than thirty days ago are deleted, and others stay")
    func sweep() async throws {
        try await GroupsWorld.run { world, _ in
            let group = try await world.group(of: [try await world.person(1)])
            let gone = [
                "created_at = now() - interval '38 days', expires_at = now() - interval '31 days'",
                "used_at = now() - interval '31 days', expires_at = now() - interval '25 days'",
                "revoked_at = now() - interval '31 days', expires_at = now() - interval '24 days'",
            ]
            let kept = [
                "created_at = now()",
                "expires_at = now() - interval '29 days'",
                "used_at = now() - interval '29 days', expires_at = now() - interval '28 days'",
                "revoked_at = now() - interval '1 day'",
            ]
            var expected: Set<String> = []
            for (index, change) in (gone + kept).enumerated() {
                let code = try await world.invite(GroupsWorld.number(index), to: group)
                try await world.postgres.execute(
                    "UPDATE invites SET \(fragment: SQL(unchecked: change)) WHERE code = \(code)")
                if index >= gone.count { expected.insert(code.rawValue) }
            }
            let sweep = world.sweep(batchSize: 2)
            #expect(try await sweep.runOnce() == GroupSweep.Report(invitations: 3, events: 0))
            let left: [String] = try await world.postgres.query("SELECT code FROM invites").map {
                try $0.get("code")
            }
            #expect(Set(left) == expected)
            #expect(try await sweep.runOnce() == GroupSweep.Report(invitations: 0, events: 0))
        }
    }
}
