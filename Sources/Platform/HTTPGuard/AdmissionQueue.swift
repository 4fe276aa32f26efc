import HTTPKit
import Hummingbird
import HummingbirdCore
import NIOCore
import Synchronization

/// A guard's decisions about the requests that it hands on, in the requests' order, for the responder of its connection.
///
/// When the queue goes away with its connection, it gives back the places of requests that have not been handled.
final class AdmissionQueue: Sendable {
    enum Entry: Sendable {
        case admitted(Admission.Place)
        /// The request came behind another one. It looks for a place when the responder gets to it, since its refusal
        /// cannot be written earlier.
        case later(Admission.Lane)
    }

    private struct State {
        var entries: [Entry] = []
        /// The place of the request that is being handled.
        var current: Admission.Place?
    }

    private let state = Mutex(State())

    func push(_ entry: Entry) {
        state.withLock { $0.entries.append(entry) }
    }

    func next() -> Entry? {
        state.withLock { $0.entries.isEmpty ? nil : $0.entries.removeFirst() }
    }

    func begin(_ place: Admission.Place) {
        state.withLock { $0.current = place }
    }

    /// Gives back the place of the request that is being handled: the server sends the rest of
    /// the answer at the client's pace, which is not work.
    func answerBegins() {
        state.withLock { $0.current.take() }?.release()
    }
}

extension Admission {
    /// Holds the request's place while `respond` works on it, or answers 503 instead.
    func handle(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel,
        decisions: AdmissionQueue, respond: HTTPChannelHandler.Responder
    ) async throws {
        // The guard adds a decision for each request that it hands on.
        guard let entry = decisions.next() else { throw ChannelError.eof }
        guard let place = place(for: entry) else {
            let id = request.headers[.requestID].flatMap(RequestID.accepted)
            var response = Problem.overloaded().response(requestID: id)
            if request.method == .head { response = response.createHeadResponse() }
            return try await writer.write(response: response.head, body: response.body)
        }
        decisions.begin(place)
        defer { place.release() }
        try await respond(request, writer, channel)
    }

    private func place(for entry: AdmissionQueue.Entry) -> Place? {
        switch entry {
        case .admitted(let place):
            return place
        case .later(let lane):
            let place = admit(lane)
            if place == nil { refused(lane) }
            return place
        }
    }
}
