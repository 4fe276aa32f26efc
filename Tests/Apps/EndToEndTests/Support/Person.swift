import DaylyAPI
import DaylyTesting
import Foundation
import Testing

/// Somebody with a phone number who is signed in.
struct Person: Sendable {
    let service: Service
    let number: String
    let tokens: TokenResponse

    var id: ResourceID { tokens.user.id }

    /// - Parameter count: how many codes the number has had then.
    static func signIn(
        _ name: String, _ number: String, count: Int = 1, to service: Service
    ) async throws -> Person {
        let verification = try await requestCode(number, from: service)
        let code = try await service.inbox.code(to: number, count: count)
        let reply = try await verify(verification, code: code, name: name, at: service)
        try #require(reply.status == 200, "\(reply)")
        return Person(service: service, number: number, tokens: try reply.decode())
    }

    static func requestCode(_ number: String, from service: Service) async throws -> ResourceID {
        let reply = try await post(
            service, "/v1/auth/request-verification", VerificationRequest(phoneNumber: number), token: nil)
        try #require(reply.status == 202, "\(reply)")
        return try reply.decode(VerificationStarted.self).verificationID
    }

    static func verify(
        _ verification: ResourceID, code: String, name: String, at service: Service
    ) async throws -> HTTPAnswer {
        try await post(
            service, "/v1/auth/verify",
            VerifyRequest(
                verificationID: verification.description, code: code, firstName: name, timeZone: "UTC",
                deviceName: "\(name)'s phone"),
            token: nil)
    }

    static func post(
        _ service: Service, _ path: String, _ body: some Encodable, token: String?
    ) async throws -> HTTPAnswer {
        var headers = ["Content-Type": "application/json"]
        headers["Authorization"] = token.map { "Bearer \($0)" }
        return try await Web.send(
            "POST", service.url + path, headers: headers, body: [UInt8](JSONEncoder().encode(body)))
    }

    func post(_ path: String, _ body: some Encodable) async throws -> HTTPAnswer {
        try await Self.post(service, path, body, token: tokens.accessToken)
    }

    func get(_ path: String) async throws -> HTTPAnswer {
        try await Web.get(service.url + path, headers: ["Authorization": "Bearer \(tokens.accessToken)"])
    }

    func delete(_ path: String) async throws -> HTTPAnswer {
        try await Web.send(
            "DELETE", service.url + path, headers: ["Authorization": "Bearer \(tokens.accessToken)"])
    }

    // MARK: What people do

    func createGroup(_ name: String, inviting numbers: [String]) async throws -> GroupCreated {
        let reply = try await post("/v1/groups", GroupCreation(name: name, memberPhoneNumbers: numbers))
        try #require(reply.status == 201, "\(reply)")
        return try reply.decode()
    }

    func redeem(_ code: String) async throws -> HTTPAnswer {
        try await post("/v1/invites/redeem", InviteRedemption(code: code))
    }

    func send(
        _ picture: [UInt8], to group: ResourceID, key: String, type: String = "image/jpeg"
    ) async throws -> HTTPAnswer {
        try await Web.send(
            "POST", service.url + "/v1/groups/\(group)/photos",
            headers: [
                "Authorization": "Bearer \(tokens.accessToken)", "Content-Type": type, "Idempotency-Key": key,
            ],
            body: picture)
    }

    /// Sends until there is an answer that is not "try again"; the process may be away in between.
    func sendUntilAnswered(
        _ picture: [UInt8], to group: ResourceID, key: String, within limit: Duration = .seconds(75)
    ) async throws -> HTTPAnswer {
        try await eventually("an answer to the upload", within: limit, every: .milliseconds(500)) {
            guard let reply = try? await send(picture, to: group, key: key) else { return nil }
            return reply.status == 503 || reply.code == "upload_in_progress" ? nil : reply
        }
    }

    func feed(_ group: ResourceID) async throws -> [Photo] {
        let reply = try await get("/v1/groups/\(group)/photos")
        try #require(reply.status == 200, "\(reply)")
        return try reply.decode(PhotoFeed.self).photos
    }
}
