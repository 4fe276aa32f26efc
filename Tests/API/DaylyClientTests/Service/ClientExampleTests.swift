import ClientFixtures
import DaylyTesting
import Foundation
import ProgramTesting
import Testing

extension LiveServiceTests {
    @Suite("The example")
    struct ClientExampleTests {
        @Test("two people in terminals sign in, send and watch")
        func example() async throws {
            try await LiveService.run { service in
                let (ada, bob) = (
                    Terminal(service: service, name: "Ada"), Terminal(service: service, name: "Bob")
                )
                try await ada.signIn("+14155550101")
                try await bob.signIn("+14155550102")
                #expect(try await ada.run("new-group", "Breakfast", "+14155550102") == "Made Breakfast.")
                #expect(try await bob.run("join") == "Joined Breakfast.")
                let (watching, output) = try bob.start("watch")
                try await eventually("a stream") { output().contains("Watching 1 groups.") }
                let picture = try service.picture()
                #expect(try await ada.run("send", picture.path) == "Sent to 1 of 1 groups.")
                try await eventually("the photo") { output().contains("A photo by Ada: ") }
                try await watching.kill9()
                let again = try await ada.run("send", picture.path)
                #expect(again.contains("Not sent: "), "one photo a day")
                #expect(again.hasSuffix("Sent to 0 of 1 groups."))
                #expect(try await ada.run("sign-out").isEmpty)
                #expect(try await ada.run("join").hasPrefix("You are signed out."))
            }
        }
    }
}

/// A person who uses the example.
private struct Terminal {
    let service: LiveService
    let name: String

    func signIn(_ number: String) async throws {
        let verification = try await run("request-code", number)
        let code = try await service.code(to: number)
        #expect(try await run("sign-in", verification, code, name) == "Signed in as \(name).")
    }

    func run(_ words: String...) async throws -> String {
        let (process, output) = try start(words)
        _ = try await process.waitForExit(within: .seconds(30))
        return output().trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func start(_ words: String...) throws -> (ChildProcess, @Sendable () -> String) {
        try start(words)
    }

    private func start(_ words: [String]) throws -> (ChildProcess, @Sendable () -> String) {
        let output = service.folder.appendingPathComponent("\(UUID()).out")
        let environment = try Programs.environment([:]).merging([
            "DAYLY_CLIENT_URL": service.proxied.absoluteString,
            "DAYLY_CLIENT_FOLDER": service.folder.appendingPathComponent(name).path,
        ]) { $1 }
        let process = try ChildProcess(
            Programs.find("dayly-client"), words, environment: environment, output: output)
        return (process, { (try? String(contentsOf: output, encoding: .utf8)) ?? "" })
    }
}
