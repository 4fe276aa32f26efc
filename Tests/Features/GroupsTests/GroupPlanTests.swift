import Auth
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import Postgres
import Testing

@Suite("The plan of a group list")
struct GroupPlanTests {
    /// Guard: the plan of a group list calls no function of days (`end_of_local_day`, `is_plain_midnight`)
    @Test(
        "PostgreSQL puts the functions of days into the plan, and calls one only near a change of the clocks")
    func inlining() async throws {
        try await withDatabase { postgres in
            let query = GroupStore.viewQuery(for: UserID(rawValue: .version7()))
            let plan = try await postgres.query("EXPLAIN (VERBOSE) \(fragment: query)").map {
                try $0.get("QUERY PLAN", as: String.self)
            }.joined(separator: "\n")
            let search = "search_end_of_local_day("
            #expect(plan.contains(search))
            for function in ["local_day(", "is_plain_midnight(", "zone_named("] {
                #expect(!plan.replacing(search, with: "").contains(function), "the plan calls \(function)…)")
            }
        }
    }
}
