import DaylyTesting
import Foundation
import NIOCore
import Testing

@testable import DaylyServer

@Suite("Upload tickets over HTTP")
struct UploadTicketTests {
    /// Guard: a ticket's key follows the header's rules (`IdempotencyKey`)
    @Test("the key of a ticket is read as the header is: quotes and blanks around it make no other key")
    func key() async throws {
        try await WholeService.run { service in
            let scene = try await service.scene()
            let path = "/v1/groups/\(scene.group)"
            let issued = try await service.call(
                "POST", path + "/upload-tickets", token: scene.member.token,
                body: #"{"idempotency_key": " \"first\" "}"#)
            let ticket = try #require(issued.members["ticket"] as? String, "\(issued.text)")
            let picture = ByteBuffer(bytes: Pictures.png())
            for (header, status) in [("other", 401), ("first", 201), ("\"first\"", 200)] {
                let sent = try await service.call(
                    "POST", path + "/photos", token: ticket, bytes: picture, type: "image/png",
                    idempotencyKey: header)
                #expect(sent.status == status, "\(sent.text)")
            }
            // By the token and the header it is the same upload, too.
            let again = try await service.call(
                "POST", path + "/photos", token: scene.member.token, bytes: picture, type: "image/png",
                idempotencyKey: "first")
            #expect(again.status == 200)
        }
    }
}
