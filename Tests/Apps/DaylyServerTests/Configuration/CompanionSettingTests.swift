import DaylyTesting
import Foundation
import Settings
import Testing

@testable import DaylyServer

@Suite("The settings of Companion")
struct CompanionSettingTests {
    private func keys(_ settings: [String: String]) async throws -> [String] {
        let folder = try TemporaryFolder()
        let environment = Dictionary(
            uniqueKeysWithValues: settings.map { ("DAYLY_\($0.uppercased())", $1) })
        do {
            _ = try ServerConfiguration.load(
                environment: Fixture.development(in: folder, environment), file: nil)
            return []
        } catch let error as ConfigurationProblems {
            return error.problems.map(\.key)
        }
    }

    @Test("a pet must be sick before it dies")
    func sickAndDead() async throws {
        #expect(try await keys(["companion_sick_after": "7"]) == ["companion.dead_after"])
        #expect(
            try await keys(["companion_sick_after": "3", "companion_dead_after": "3"])
                == ["companion.dead_after"])
        #expect(try await keys(["companion_sick_after": "3", "companion_dead_after": "4"]) == [])
    }

    @Test("gamma is a decimal number greater than 0")
    func gamma() async throws {
        for text in ["0", "-1", "0.0", "11", "1e1", "one", "1,5", ".5"] {
            #expect(try await keys(["companion_gamma": text]) == ["companion.gamma"], "\(text)")
        }
        for text in ["1", "0.5", "2.25", "10"] {
            #expect(try await keys(["companion_gamma": text]) == [], "\(text)")
        }
    }

    @Test("each product has its gems, and products that are given need the app's bundle id")
    func products() async throws {
        for text in ["gems", "gems=", "gems=0", "=100", "gems=1=2", "gems=-1"] {
            #expect(
                try await keys([
                    "companion_products": text, "app_store_bundle_id": "com.example.dayly",
                ]) == ["companion.products"], "\(text)")
        }
        #expect(try await keys(["companion_products": "gems=5"]) == ["app_store.bundle_id"])
    }
}
