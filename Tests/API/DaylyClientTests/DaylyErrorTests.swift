import ClientFixtures
import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

@Suite("Errors of the SDK")
struct DaylyErrorTests {
    private func error(of answer: @escaping @Sendable () -> StubAnswer) async throws -> DaylyError? {
        let client = try ScriptedClient { request in
            request.refreshToken == nil ? answer() : .json(TokenResponse.numbered(1))
        }
        return await #expect(throws: DaylyError.self) { _ = try await client.dayly.profile.get() }
    }

    @Test("the plan's cases have their codes")
    func cases() async throws {
        #expect(try await error { .problem(409, .groupLimitReached) } == .groupLimitReached)
        #expect(try await error { .problem(400, .invalidPhoneNumber) } == .invalidPhoneNumber)
        #expect(
            try await error { .problem(401, "verification_failed", attemptsRemaining: 3) }
                == .verificationFailed(attemptsRemaining: 3))
    }

    @Test("a code that this version does not know is kept")
    func unknownCode() async throws {
        let error = try await error { .problem(418, "teapot_short_and_stout") }
        guard case .problem(let problem) = error else { throw TransportError("\(String(describing: error))") }
        #expect(problem.code == "teapot_short_and_stout" && problem.status == 418)
        #expect(error?.errorDescription == problem.detail)
    }

    @Test("members of single problems are decoded")
    func members() async throws {
        let next = Date(timeIntervalSince1970: 1_800_000_000)
        let error = try await error { .problem(409, "already_sent_today", nextSendAt: next) }
        guard case .problem(let problem) = error else { throw TransportError("\(String(describing: error))") }
        #expect(problem.nextSendAt == next)
    }

    @Test("an answer that is not the service's own is recognised")
    func foreignAnswers() async throws {
        let page = Data("<html>Welcome to the hotel</html>".utf8)
        let refusal = try await error { StubAnswer(TransportHead(status: 403), body: page) }
        #expect(refusal == .unexpectedAnswer(status: 403))
        let success = try await error { StubAnswer(TransportHead(status: 200), body: page) }
        #expect(success == .unexpectedAnswer(status: 200))
    }

    @Test(
        "a picture that the service refuses is told from a service that is busy",
        arguments: [
            ProblemCode.uploadTooLarge, .unsupportedMediaType, .unreadableImage, .imageTooLarge,
            .storageUnavailable, .overloaded, .unavailable, .internalError, .alreadySentToday, .photoGone,
            .uploadInProgress, .notFound, .rateLimited, ProblemCode(rawValue: "newer"),
        ])
    func uploads(code: ProblemCode) {
        let problem = ProblemDocument(type: "", title: "", status: 400, detail: "", code: code.rawValue)
        let error = DaylyError.problem(problem).asUploadFailure
        switch code {
        case .uploadTooLarge, .unsupportedMediaType, .unreadableImage, .imageTooLarge:
            #expect(error == .photoUploadFailed(retry: false))
        case .storageUnavailable, .overloaded, .unavailable, .internalError:
            #expect(error == .photoUploadFailed(retry: true))
        default: #expect(error == .problem(problem))
        }
    }

    @Test("each error has a text for people")
    func texts() {
        let errors: [DaylyError] = [
            .networkUnavailable, .photoUploadFailed(retry: true), .photoUploadFailed(retry: false),
            .groupLimitReached, .invalidPhoneNumber, .verificationFailed(attemptsRemaining: 0),
            .verificationFailed(), .cameraPermissionDenied, .signedOut, .storageFailed,
            .unexpectedAnswer(status: 200), .unexpectedAnswer(status: 413), .unexpectedAnswer(status: 502),
            .unexpectedAnswer(status: 511),
        ]
        for error in errors {
            #expect(error.errorDescription?.hasSuffix(".") == true)
            #expect(error.recoverySuggestion?.hasSuffix(".") == true, "\(error)")
        }
    }
}
