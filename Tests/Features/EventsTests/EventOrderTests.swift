import Auth
import FeatureKit
import Foundation
@testable import Groups
import Testing

@testable import Events

@Suite("Events between the hub and a stream")
struct EventOrderTests {
    private let group = GroupID(rawValue: UUID())
    private let user = UserID(rawValue: UUID())

    /// Guard: an event is taken from memory only if it follows the last one (`EventStream.append`)
    @Test("a stream takes the very next event, and reads the log after a gap")
    func gap() async {
        let stream = EventStream(
            user: user, session: SessionID(rawValue: UUID()), numbers: [group: 3], lifetime: nil,
            maxBuffered: 10)
        #expect(await taken(by: stream) == "reads")
        stream.caughtUp([group: 3])
        stream.offer(news(4))
        #expect(await taken(by: stream) == "writes 4")
        stream.offer(news(6))
        #expect(await taken(by: stream) == "reads")
        stream.caughtUp([group: 6])
        stream.offer(news(5, 6, 7))
        stream.offer(news(7, 8))
        #expect(await taken(by: stream) == "writes 7 8")
        // This notification has a gap inside.
        stream.offer(news(9, 11))
        #expect(await taken(by: stream) == "writes 9")
        #expect(await taken(by: stream) == "reads")
    }

    /// Guard: several joins at once are read from the first one on (`EventHub.unread`)
    @Test(
        "when several people join a group without streams, its log is read from the first join"
    )
    func joinedTogether() {
        let hub = EventHub(settings: EventSettings())
        hub.open()
        #expect(
            hub.add(
                EventStream(
                    user: user, session: SessionID(rawValue: UUID()), numbers: [:], lifetime: nil,
                    maxBuffered: 10)))
        let notices = [6, 5, 7].map { GroupEventSignal(group: group, number: $0, isJoining: true) }
        #expect(hub.unread(notices) == [group: 4])
    }

    @Test("the end of a photo goes to a stream that had its beginning, and to no other")
    func passedPhoto() async throws {
        let photo = UUID()
        let changes = [GroupEventKind.photoAdded, .photoRemoved].enumerated().map { index, kind in
            GroupChange(
                position: LogPosition(number: index + 1, stamp: 1), previous: index, kind: kind, user: nil,
                firstName: nil, photo: photo)
        }
        let page = GroupEventPage(group: group, name: "Family", members: [user], changes: changes)
        let rendered = try #require(try await EventRenderer(photos: { _ in [] }).render([page]).first)
        #expect(rendered.items(for: user, after: 0).allSatisfy { $0.text == nil })
        let end = try #require(rendered.items(for: user, after: 1).first?.text)
        #expect(end.contains("photo.deleted"))
    }

    private func taken(by stream: EventStream) async -> String {
        switch await stream.next() {
        case .write(let items):
            "writes " + items.map { $0.position.map { "\($0.number)" } ?? "-" }.joined(separator: " ")
        case .hint(let texts): "hints \(texts.count)"
        case .read: "reads"
        case .heartbeat: "breaks the silence"
        case .end(let ending): "ends: \(ending)"
        }
    }

    private func news(_ numbers: Int...) -> RenderedEvents {
        RenderedEvents(
            group: group, members: [user],
            changes: numbers.map { number in
                RenderedEvents.Change(
                    position: LogPosition(number: number, stamp: 1), previous: number - 1,
                    kind: .groupRenamed, user: nil,
                    text: "event: group.updated\n", addition: nil)
            })
    }
}
