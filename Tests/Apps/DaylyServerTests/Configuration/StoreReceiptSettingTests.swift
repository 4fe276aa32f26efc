import DaylyTesting
import Foundation
import Settings
import Testing

@testable import DaylyServer

@Suite("The settings of purchases")
struct StoreReceiptSettingTests {
    private func keys(_ environment: [String: String]) async throws -> [String] {
        do {
            _ = try ServerConfiguration.load(environment: environment, file: nil)
            return []
        } catch let error as ConfigurationProblems {
            return error.problems.map(\.key)
        }
    }

    @Test("production trusts no other root than Apple's, and development trusts any")
    func roots() async throws {
        let folder = try TemporaryFolder()
        let roots = try await TestCertificates.make(in: folder.url).authority
        let given = ["DAYLY_APP_STORE_ROOT_CERTIFICATES": roots]
        #expect(
            try await keys(try Fixture.production(in: folder, given)) == ["app_store.root_certificates"])
        #expect(try await keys(Fixture.development(in: folder, given)) == [])
    }

    @Test("a file of roots must be one")
    func file() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/roots.pem"
        for text in ["nonsense", "-----BEGIN CERTIFICATE-----\nbm9uc2Vuc2U=\n-----END CERTIFICATE-----\n"] {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let found = try await keys(
                Fixture.development(in: folder, ["DAYLY_APP_STORE_ROOT_CERTIFICATES": path]))
            #expect(found == ["app_store.root_certificates"])
        }
    }

    @Test("products that give Pro need the app's bundle id")
    func products() async throws {
        let folder = try TemporaryFolder()
        let products = ["DAYLY_FOCUS_PRO_PRODUCTS": "com.example.pro.year"]
        #expect(try await keys(Fixture.development(in: folder, products)) == ["app_store.bundle_id"])
        let whole = products.merging(["DAYLY_APP_STORE_BUNDLE_ID": "com.example.dayly"]) { $1 }
        #expect(try await keys(Fixture.development(in: folder, whole)) == [])
    }
}
