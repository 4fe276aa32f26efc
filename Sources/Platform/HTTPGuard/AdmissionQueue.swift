import HTTPKit
import Hummingbird
import HummingbirdCore
import NIOCore
import Synchronization

/// What a connection's guard has decided about the requests that it hands on, in their order, for those who handle them.
///
/// One that goes away with its connection gives back the places of requests that nobody will handle.
final class AdmissionQueue: Sendable {
    enum Entry: Sendable {
        case admitted(Admission.Place)
        /// Behind another request on its connection: decided when its turn comes, since only then its answer may be
        /// written.
        case later(Admission.Lane)
    }

    private struct State {
        var entries: [Entry] = []
        /// Of the request that is handled now.
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

    /// What follows is sent at the client's pace and is no work any more.
    func answerBegins() {
        state.withLock { $0.current.take() }?.release()
    }
}

extension Admission {
    /// Holds the request's place while `respond` works on it, or answers 503 in its stead.
    func handle(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel,
        decisions: AdmissionQueue, respond: HTTPChannelHandler.Responder
    ) async throws {
        let place: Place
        // The guard lets no request past without a word about it.
        guard let entry = decisions.next() else { throw ChannelError.eof }
        switch entry {
        case .admitted(let admitted):
            place = admitted
        case .later(let lane):
            guard let admitted = admit(lane) else {
                refused(lane)
                let id = request.headers[.requestID].flatMap(RequestID.accepted)
                var response = Problem.overloaded().response(requestID: id)
                if request.method == .head { response = response.createHeadResponse() }
                return try await writer.write(response: response.head, body: response.body)
            }
            place = admitted
        }
        decisions.begin(place)
        defer { place.release() }
        try await respond(request, writer, channel)
    }
}
