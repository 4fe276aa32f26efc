import FeatureKit
import FocusRules
import HTTPKit
import Postgres

/// Schedules: sessions that the phone starts by the clock.
struct FocusScheduleService: Sendable {
    static let maxSchedules = 1
    static let maxSchedulesWithPro = 50

    let postgres: PostgresClient
    let members: FocusMemberStore

    /// Oldest first.
    func list(of user: UserID) async throws -> [FocusScheduleState] {
        try await postgres.transaction { tx in
            try FocusScheduleStore.all(tx, of: try members.require(tx, user))
        }
    }

    /// - Throws: `FocusError.scheduleLimitReached`, `.proRequired`, `.scheduleOverlap`; `IdempotencyKeyReused`.
    func create(
        _ draft: FocusScheduleDraft, _ call: RepeatableCall?, by user: UserID
    ) async throws -> Creation<FocusScheduleState> {
        try await postgres.transaction { tx in
            let member = try members.requireLocked(tx, user)
            return try IdempotencyKeyStore.once(tx, call, of: user, id: FocusScheduleID(.version7())) { id in
                let others = try FocusScheduleStore.all(tx, of: member)
                let limit = member.isPro ? Self.maxSchedulesWithPro : Self.maxSchedules
                guard others.count < limit else { throw FocusError.scheduleLimitReached }
                try check(draft, besides: others, member)
                try FocusScheduleStore.insert(tx, id, draft, of: user)
                return try FocusScheduleStore.require(tx, id, of: member)
            } find: { id in
                try FocusScheduleStore.require(tx, id, of: member)
            }
        }
    }

    /// - Throws: `FocusError.notFound`, `.proRequired`, `.scheduleOverlap`.
    func replace(
        _ id: FocusScheduleID, by draft: FocusScheduleDraft, of user: UserID
    ) async throws -> FocusScheduleState {
        try await postgres.transaction { tx in
            let member = try members.requireLocked(tx, user)
            let all = try FocusScheduleStore.all(tx, of: member)
            guard all.contains(where: { $0.id == id }) else { throw FocusError.notFound }
            try check(draft, besides: all.filter { $0.id != id }, member)
            try FocusScheduleStore.update(tx, id, draft)
            return try FocusScheduleStore.require(tx, id, of: member)
        }
    }

    func delete(_ id: FocusScheduleID, of user: UserID) async throws {
        try await postgres.transaction { tx in
            let member = try members.requireLocked(tx, user)
            try FocusScheduleStore.delete(tx, id, of: member.user)
        }
    }

    private func check(
        _ draft: FocusScheduleDraft, besides others: [FocusScheduleState], _ member: FocusMember
    ) throws {
        guard !draft.isBeastMode || member.isPro else { throw FocusError.proRequired }
        guard !others.contains(where: { $0.times.overlaps(draft.times) }) else {
            throw FocusError.scheduleOverlap
        }
    }
}
