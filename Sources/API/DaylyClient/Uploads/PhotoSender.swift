import DaylyAPI
import Foundation

/// The calls that the upload queue makes.
struct PhotoSender: Sendable {
    let requests: RequestBuilder
    /// For attempts with a ticket, which need no session.
    let transport: any HTTPTransport
    let authorized: any AuthorizedTransport

    /// Gets a ticket for one upload, in one attempt: the upload does not need it.
    func ticket(for item: UploadItem) async throws(DaylyError) -> UploadTicket {
        let request = try requests.request(
            .createUploadTicket, path: [item.groupID.description],
            json: UploadTicketRequest(idempotencyKey: item.idempotencyKey))
        return try ClientJSON.decode(from: await authorized.send(request, isIdempotent: false))
    }

    /// The upload of an item, with its ticket as the bearer token if it has one.
    func request(for item: UploadItem, ticket: UploadTicket?) throws(DaylyError) -> TransportRequest {
        var request = try requests.request(.sendPhoto, path: [item.groupID.description])
        // The service recognises the format by the bytes.
        request.headers["Content-Type"] = "image/jpeg"
        request.headers["Idempotency-Key"] = item.idempotencyKey
        if let ticket { request.headers["Authorization"] = "Bearer \(ticket.ticket)" }
        // The service may have to wait for a decoder after it has the whole body.
        request.idleTimeout = .seconds(60)
        return request
    }

    /// One attempt.
    func send(
        _ item: UploadItem, from file: URL, at now: Date,
        progress: @escaping @Sendable (UploadProgress) -> Void
    ) async -> UploadAnswer {
        let ticket = item.ticket.flatMap { $0.isUsable(at: now) ? $0 : nil }
        do throws(DaylyError) {
            let request = try request(for: item, ticket: ticket)
            guard ticket != nil else {
                let response = try await authorized.upload(request, from: file, progress: progress)
                return try .accepted(ClientJSON.decode(from: response))
            }
            return try UploadAnswer(await sent(request, file, progress))
        } catch {
            return .failed(UploadMachine.Outcome(error, usedTicket: ticket != nil))
        }
    }

    private func sent(
        _ request: TransportRequest, _ file: URL, _ progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(DaylyError) -> TransportResponse {
        do {
            return try await transport.upload(request, from: file, progress: progress)
        } catch {
            throw DaylyError(error)
        }
    }
}

/// The result of an attempt as the queue handles it.
enum UploadAnswer: Sendable {
    case accepted(Photo)
    case failed(UploadMachine.Outcome)

    /// Only a photo counts as acceptance: the page of a captive portal has the status 200 too.
    init(_ response: TransportResponse) throws(DaylyError) {
        guard Operation.sendPhoto.isAccepted(by: response.head) else { throw DaylyError(refusal: response) }
        self = .accepted(try ClientJSON.decode(from: response))
    }
}

extension UploadMachine.Outcome {
    /// The part of an error that the rules of the queue distinguish.
    init(_ error: DaylyError, usedTicket: Bool) {
        switch error {
        case .problem(let problem):
            self = .refused(UploadMachine.Refusal(problem, usedTicket: usedTicket))
        case .signedOut: self = .signedOut
        case .cancelled: self = .cancelled
        case .unexpectedAnswer(let status) where status < 500 || status == 511:
            self = .answeredByNetwork(error.errorDescription)
        default: self = .unanswered
        }
    }
}

extension UploadMachine.Refusal {
    init(_ problem: ProblemDocument, usedTicket: Bool) {
        self.init(
            status: problem.status, code: problem.code, detail: problem.detail,
            retryAfter: problem.retryAfter.map { .seconds($0) }, nextSendAt: problem.nextSendAt,
            usedTicket: usedTicket)
    }
}
