import DaylyAPI
import DaylyTesting
import Foundation
import HTTPKit
import Hummingbird
import HummingbirdTesting
import Settings
import Testing

@testable import DaylyServer

/// Guard: the service refuses faulty app ids, packages and fingerprints; without apps it serves no file
/// (`LinkSettings`, `ServerConfiguration.limits`, `AppAssociationRoutes`)
@Suite("The files that tie invitation links to the apps")
struct AppAssociationTests {
    private static let fingerprint = Array(repeating: "A5", count: 32).joined(separator: ":")

    @Test("without a configured app both files are 404")
    func none() async throws {
        try await Fixture.serving { client, _ in
            for name in ["apple-app-site-association", "assetlinks.json"] {
                let response = try await client.execute(uri: "/.well-known/\(name)", method: .get)
                #expect(response.status == .notFound)
                #expect(response.headers[.contentType] == "application/problem+json")
            }
        }
    }

    @Test("both files contain the configured apps, as JSON that may be cached for an hour")
    func files() async throws {
        let links = [
            "DAYLY_LINKS_IOS_APP_IDS": "ABCDE12345.com.example.dayly,ABCDE12345.com.example.dayly-beta",
            "DAYLY_LINKS_ANDROID_PACKAGE": "com.example.dayly",
            "DAYLY_LINKS_ANDROID_FINGERPRINTS": Self.fingerprint,
        ]
        try await Fixture.serving(links) { client, _ in
            let apple = try await client.execute(uri: "/.well-known/apple-app-site-association", method: .get)
            #expect(apple.status == .ok)
            #expect(apple.headers[.contentType]?.hasPrefix("application/json") == true)
            #expect(apple.headers[values: .cacheControl] == ["public, max-age=3600"])
            let ids = #"["ABCDE12345.com.example.dayly","ABCDE12345.com.example.dayly-beta"]"#
            #expect(
                String(buffer: apple.body)
                    == #"{"applinks":{"details":[{"appIDs":\#(ids),"components":[{"/":"/i/*"},{"/":"/I/*"}]}]},"#
                    + #""webcredentials":{"apps":\#(ids)}}"#)
            let android = try await client.execute(uri: "/.well-known/assetlinks.json", method: .get)
            #expect(android.status == .ok)
            #expect(android.headers[.contentType]?.hasPrefix("application/json") == true)
            #expect(
                String(buffer: android.body)
                    == #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"#
                    + #""namespace":"android_app","package_name":"com.example.dayly","#
                    + #""sha256_cert_fingerprints":["\#(Self.fingerprint)"]}}]"#)
        }
    }

    @Test(
        "values that cannot be an app are refused at the start",
        arguments: [
            ["DAYLY_LINKS_IOS_APP_IDS": "com.example.dayly"],
            ["DAYLY_LINKS_IOS_APP_IDS": "ABCDE12345.com.example.dayly,ABCDE12345."],
            ["DAYLY_LINKS_ANDROID_PACKAGE": "dayly", "DAYLY_LINKS_ANDROID_FINGERPRINTS": fingerprint],
            ["DAYLY_LINKS_ANDROID_PACKAGE": "com.example.dayly"],
            ["DAYLY_LINKS_ANDROID_FINGERPRINTS": fingerprint],
            [
                "DAYLY_LINKS_ANDROID_PACKAGE": "com.example.dayly",
                "DAYLY_LINKS_ANDROID_FINGERPRINTS": String(fingerprint.dropLast(3)),
            ],
        ])
    func refused(settings: [String: String]) async throws {
        let folder = try TemporaryFolder()
        let environment = Fixture.development(in: folder, settings)
        #expect(throws: ConfigurationProblems.self) {
            _ = try ServerConfiguration.load(environment: environment, file: nil)
        }
    }
}
