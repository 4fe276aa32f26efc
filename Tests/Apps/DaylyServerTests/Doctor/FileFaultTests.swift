import DaylyTesting
import Foundation
import Settings
import Testing

@testable import DaylyServer

@Suite("Files that settings name")
struct FileFaultTests {
    /// Guard: a key that the service may not read is not said to be missing (`FileFault`)
    @Test(
        "a file that this user may not read is not said to be missing: the remedy gives it away, and does not make another"
    )
    func forbidden() throws {
        let fault = FileFault("/etc/dayly/signing-2.pem", code: EACCES, group: "dayly")
        #expect(fault.complaint == "may not be read by this user")
        #expect(
            fault.remedy
                == "Run: chown root:dayly /etc/dayly/signing-2.pem; chmod 640 /etc/dayly/signing-2.pem")
        let folder = try TemporaryFolder()
        #expect(throws: FileFault("x", code: ENOENT)) { try FileFault.read(folder.path + "/none.pem") }
        #expect(throws: FileFault("x", code: EISDIR)) { try FileFault.read(folder.path) }
        #expect(try FileFault.read(folder.write("key.pem", "text")) == Data("text".utf8))
    }

    @Test(
        "a key that is not there is reported with the command that makes it, and with its owner and mode",
        arguments: [
            ("DAYLY_AUTH_SIGNING_KEYS", "auth.signing_keys"), ("DAYLY_PUSH_WEB_KEY", "push.web.key"),
        ])
    func missing(_ variable: String, _ key: String) async throws {
        let folder = try TemporaryFolder()
        let given = [
            variable: "/none.pem", "DAYLY_PUSH_KIND": "web", "DAYLY_PUSH_WEB_CONTACT": "mailto:you@dayly.org",
        ].merging(["DAYLY_PUSH_WEB_KEY": try folder.write("web.pem", "-----BEGIN x")]) { own, _ in own }
        let problems = #expect(throws: ConfigurationProblems.self) {
            try ServerConfiguration.load(
                environment: try Fixture.production(in: folder, given), file: nil)
        }
        let problem = try #require(problems?.problems.first { $0.key == key })
        #expect(problem.complaint == "names /none.pem, which is not there")
        #expect(problem.remedy.contains("openssl genpkey") && problem.remedy.contains("chmod 640"))
    }

    /// Guard: doctor looks at the modes of the settings' files (`FileChecks`)
    @Test("doctor finds a file of settings with a secret that every user may read")
    func modes() async throws {
        let folder = try TemporaryFolder()
        let files = [
            try folder.write("secrets.yaml", "auth:\n  secret: something\n"),
            try folder.write("url.yaml", "database:\n  url: postgresql://dayly:word@db.example/dayly\n"),
            try folder.write("plain.yaml", "database:\n  url: postgresql:///dayly\nhttp:\n  port: 8080\n"),
        ]
        let configuration = try ServerConfiguration.load(
            environment: Fixture.development(in: folder), file: nil)
        func exposed(mode: Int) async throws -> [String] {
            for file in files {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            }
            return await FileChecks(configuration: configuration, files: files).findings()
                .filter { $0.verdict == .problem }.compactMap(\.remedy)
        }
        #expect(try await exposed(mode: 0o644) == ["Run: chmod o= \(files[0])", "Run: chmod o= \(files[1])"])
        #expect(try await exposed(mode: 0o640).isEmpty)
    }
}
