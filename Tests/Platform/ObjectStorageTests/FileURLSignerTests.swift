import Foundation
import ObjectStorage
import Testing

@Suite("Signed file URLs")
struct FileURLSignerTests {
    private let signer = FileURLSigner(
        publicURL: "https://dayly.example/", secret: [UInt8](repeating: 7, count: 32))
    private let key: ObjectKey = "photos/2025-03-01/0b4b.jpg"
    private let expiresAt = Date(timeIntervalSince1970: 1_000)
    private let before = Date(timeIntervalSince1970: 999)

    private func target(_ key: ObjectKey) -> String {
        String(signer.url(for: key, expiresAt: expiresAt).dropFirst("https://dayly.example".count))
    }

    @Test("a URL names its object until it expires")
    func roundTrip() {
        let url = signer.url(for: key, expiresAt: expiresAt)
        #expect(
            url.hasPrefix("https://dayly.example/files/photos/2025-03-01/0b4b.jpg?expires=1000&signature="))
        #expect(signer.verify(target: target(key), now: before) == .success(key))
        #expect(signer.url(for: key, expiresAt: expiresAt) == url)
    }

    /// Guard: a file URL's signature and end are checked (`FileURLSigner`)
    @Test("an expired URL is refused from the very second on")
    func expired() {
        #expect(signer.verify(target: target(key), now: expiresAt) == .failure(.expired))
        #expect(
            signer.verify(target: target(key), now: expiresAt.addingTimeInterval(-0.001)) == .success(key))
    }

    @Test("another key, expiry or signature is refused")
    func tampered() {
        let genuine = target(key)
        let forged = [
            genuine.replacingOccurrences(of: "0b4b", with: "0b4c"),
            genuine.replacingOccurrences(of: "expires=1000", with: "expires=9000"),
            genuine.replacingOccurrences(of: "signature=", with: "signature=AAAA"),
            genuine.components(separatedBy: "signature=")[0] + "signature=",
            String(genuine.dropLast(3)),
        ]
        for target in forged {
            #expect(signer.verify(target: target, now: before) == .failure(.badSignature), "\(target)")
        }
    }

    /// Guard: a file URL's signature and end are checked (`FileURLSigner`)
    @Test("every single changed character of the signature is noticed")
    func everyCharacter() throws {
        let genuine = Array(target(key))
        let start = try #require(genuine.lastIndex(of: "=")) + 1
        for index in start..<genuine.count {
            var changed = genuine
            changed[index] = changed[index] == "A" ? "B" : "A"
            if case .success = signer.verify(target: String(changed), now: before) {
                Issue.record("accepted with character \(index) changed")
            }
        }
    }

    @Test(
        "another kind of URL is malformed",
        arguments: [
            "", "/files/", "/files/a", "/files/a?", "/files/a?expires=1", "/other/a?expires=1&signature=AA",
            "/files/a?signature=AA&expires=1", "/files/a?expires=1&signature=AA&x=1",
            "/files/a?expires=-1&signature=AA", "/files/a?expires=+1&signature=AA",
            "/files/a?expires=01&signature=AA", "/files/a?expires=99999999999999999999&signature=AA",
            "/files/a?expires=1&signature=A", "/files/a?expires=1&signature=A+==",
            "/files/../a?expires=1&signature=AA", "/files/%2e%2e/a?expires=1&signature=AA",
            "/files/a%00?expires=1&signature=AA", "/files/a%2?expires=1&signature=AA",
            "/files/a%ff?expires=1&signature=AA", "/files//a?expires=1&signature=AA",
        ])
    func malformed(target: String) {
        #expect(signer.verify(target: target, now: before) == .failure(.malformed))
    }

    @Test("awkward keys are encoded once and come back", arguments: ["a b/ü+%41.jpg", "a/%2e%2e/b", "😀?&=#"])
    func awkward(text: String) throws {
        let key = try ObjectKey(text)
        #expect(signer.verify(target: target(key), now: before) == .success(key))
    }

    @Test("another secret, and the secret used for something else, sign nothing here")
    func otherSecret() {
        let other = FileURLSigner(
            publicURL: "https://dayly.example", secret: [UInt8](repeating: 8, count: 32))
        #expect(other.verify(target: target(key), now: before) == .failure(.badSignature))
    }
}
