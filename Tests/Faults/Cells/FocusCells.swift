import FocusAPI
import DaylyAPI
import DaylyTesting
import Foundation
import Postgres
import StoreTesting

/// An act of a person of Focus.
struct FocusAct: InterruptedAct {
    let perform: @Sendable (FocusStage, FocusPerson, Int) async -> Bool
    let check: @Sendable (FocusStage) async throws -> Void
}

extension FocusAct {
    /// A sync with a streak of 20 minutes, an open and a report.
    static let sync = FocusAct { stage, person, number in
        func event(_ place: Int, _ minutes: Int, _ members: String) -> String {
            #"{"seq": \#(4 * number + place - 3), "at": "\#(stage.time(minutes, inAct: number))", \#(members)}"#
        }
        let day = stage.time(22, inAct: number).prefix(10)
        let events = [
            event(0, 0, #""kind": "lock", "source": "automatic""#),
            event(1, 20, #""kind": "unlock", "source": "automatic""#),
            event(2, 21, #""kind": "open", "intention_id": "\#(person.intention)""#),
            event(3, 22, #""kind": "usage", "day": "\#(day)", "minutes": \#(30 * number)"#),
        ]
        let answer = await person.call(
            "POST", "sync",
            """
            {"device_id": "\(person.device)", "client_time": "\(Date().ISO8601Format())",
            "events": [\(events.joined(separator: ","))]}
            """)
        return answer?.status == 200
    } check: { stage in
        let world = stage.world
        let days = try await world.numbers(
            "SELECT user_id::text, sum(streak_count)::bigint AS number FROM focus_days GROUP BY user_id")
        let points = try await world.numbers(
            "SELECT user_id::text, sum(points)::bigint AS number FROM focus_weeks GROUP BY user_id")
        let opens = try await world.numbers("SELECT user_id::text, used AS number FROM focus_intentions")
        for person in stage.people {
            let (id, acts) = (person.client.id, person.acts)
            let events = try await person.exportedEvents()
            if events.sorted() != Array(1...4 * acts) {
                world.broken("of \(4 * acts) events are stored \(events)")
            }
            if days[id] != acts || points[id] != 2_996 * acts {
                world.broken("\(acts) streaks are \(days[id] ?? 0), worth \(points[id] ?? 0)")
            }
            // An open of an earlier day counts for the current one, which was that of joining.
            if opens[id] != acts { world.broken("\(acts) opens count \(opens[id] ?? 0) times") }
        }
    }

    /// A session, begun and ended: half of the people complete it, the others give up.
    static let session = FocusAct { stage, person, number in
        let start = person.body("start \(number)") {
            """
            {"goal_minutes": 25, "mode": "block_list", "started_at": "\(stage.time(0, inAct: number))",
            "client_time": "\(Date().ISO8601Format())"}
            """
        }
        let begun = await person.call("POST", "sessions", start, key: "session-\(number)")
        guard let begun, [200, 201].contains(begun.status), let id = begun.member("id") else { return false }
        let minutes = person.index % 2 == 0 ? 30 : 10
        let end = person.body("end \(number)") {
            """
            {"ended_at": "\(stage.time(minutes, inAct: number))", "client_time": "\(Date().ISO8601Format())"}
            """
        }
        return await person.call("POST", "sessions/\(id)/end", end)?.status == 200
    } check: { stage in
        let world = stage.world
        let sessions = try await world.numbers(
            """
            SELECT user_id::text, count(*) AS number FROM focus_sessions WHERE state IN ('completed', 'gave_up')
            GROUP BY user_id
            """)
        let ledgers = try await world.numbers(
            "SELECT user_id::text, count(*) AS number FROM focus_ledger GROUP BY user_id")
        let league = try await world.numbers(
            "SELECT user_id::text, sum(xp)::bigint AS number FROM focus_weeks GROUP BY user_id")
        for person in stage.people {
            let (id, acts) = (person.client.id, person.acts)
            let paid = person.index % 2 == 0 ? acts : 0
            if sessions[id] != acts { world.broken("of \(acts) sessions are stored \(sessions[id] ?? 0)") }
            if ledgers[id] ?? 0 != paid || league[id] ?? 0 != 5 * paid {
                world.broken("\(paid) sessions paid \(ledgers[id] ?? 0) times, \(league[id] ?? 0) XP")
            }
            let now = try await person.call("GET", "now")?.decode(FocusNow.self)
            if now?.xp != 5 * paid || now?.coins != 5 * paid || now?.session != nil {
                world.broken(
                    "\(paid) paid sessions of 5 XP are \(now?.xp ?? 0) XP and \(now?.coins ?? 0) coins")
            }
        }
    }

    /// A purchase, each until a day later than the one before.
    static let purchase = FocusAct { stage, person, number in
        let body = try? person.body("purchase \(number)") {
            let members: [String: any Sendable] = [
                "transactionId": "\(person.index)-\(number)", "productId": FocusStage.product,
                "appAccountToken": person.accountToken.uuidString,
                "expiresDate": TestAppStore.milliseconds(stage.proEnd(number)),
            ]
            return #"{"signed_transaction": "\#(try stage.store.transaction(members))"}"#
        }
        return await person.call("POST", "pro", body)?.status == 200
    } check: { stage in
        let world = stage.world
        let claimed = try await world.numbers(
            "SELECT user_id::text, count(*) AS number FROM focus_transactions GROUP BY user_id")
        for person in stage.people {
            let (id, acts) = (person.client.id, person.acts)
            if claimed[id] != acts { world.broken("of \(acts) purchases are stored \(claimed[id] ?? 0)") }
            let now = try await person.call("GET", "now")?.decode(FocusNow.self)
            if now?.proUntil != stage.proEnd(acts) {
                world.broken("Pro ends at \(String(describing: now?.proUntil)) after \(acts) purchases")
            }
        }
    }
}

extension FocusStage {
    /// The end of the purchase of an act.
    fileprivate func proEnd(_ number: Int) -> Date {
        Date(timeIntervalSince1970: start.timeIntervalSince1970.rounded(.down) + Double(86_400 * number))
    }
}
