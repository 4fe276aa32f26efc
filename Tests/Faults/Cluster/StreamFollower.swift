import DaylyTesting
import Foundation
import NIOCore
import ProgramTesting
import Synchronization

/// A client's stream of events, resumed by `Last-Event-ID` whenever it ends.
final class StreamFollower: Sendable {
    let person: Client
    private let url: String
    private let state = Mutex(State())

    private struct State {
        var log = StreamLog()
        var received: [UInt8] = []
        var cursor: String?
        var pause = Duration.seconds(1)
        /// When the last bytes came.
        var heardAt = Date()
        /// The last bytes of a connection that has ended, which may have been dead for a while; nil while there is one.
        var lostAt: Date?
        var isOver = false

        /// Behind the empty line that ends the last event that came whole.
        var endOfEvents: Int? {
            let newline = UInt8(ascii: "\n")
            return received.indices.dropFirst().last {
                received[$0] == newline && received[$0 - 1] == newline
            }
            .map { $0 + 1 }
        }
    }

    init(_ person: Client, at url: String) {
        self.person = person
        self.url = url
    }

    /// Whether the stream has begun: from now on it must miss nothing.
    var hasBegun: Bool { state.withLock { $0.cursor != nil } }

    var log: StreamLog { state.withLock { $0.log } }

    func finish() { state.withLock { $0.isOver = true } }

    /// Follows until `finish`, and until it is cancelled then.
    func follow() async {
        while !state.withLock({ $0.isOver }), !Task.isCancelled {
            var headers = ["Authorization": "Bearer \(person.accessToken)"]
            headers["Last-Event-ID"] = state.withLock { $0.cursor }
            let status = try? await Web.follow(url + "/v1/events", headers: headers, for: .hours(6)) {
                receive($0)
            }
            let pause = state.withLock { state in
                if state.lostAt == nil { state.lostAt = state.heardAt }
                state.received = []
                if let status, status != 200, status < 500 { state.log.refusals.append(status) }
                return state.pause
            }
            try? await Task.sleep(for: pause * Double.random(in: 0.5...1))
        }
    }

    private func receive(_ piece: ByteBuffer) {
        state.withLock { state in
            if let lostAt = state.lostAt {
                state.log.gaps.append(lostAt...max(lostAt, Date()))
                state.lostAt = nil
            }
            state.heardAt = Date()
            state.received += piece.readableBytesView
            guard let end = state.endOfEvents else { return }
            let text = EventText(String(decoding: state.received[..<end], as: UTF8.self))
            state.received.removeSubrange(..<end)
            state.pause = text.retry ?? state.pause
            state.cursor = text.cursor ?? state.cursor
            state.log.add(text.events, at: Date())
        }
    }
}
