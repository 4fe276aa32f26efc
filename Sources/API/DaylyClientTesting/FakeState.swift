import DaylyAPI
import DaylyClient
import Foundation

/// The data of a ``FakeService``.
struct FakeState: Sendable {
    var user: User
    let now: Date
    var groups: [PhotoGroup] = []
    var photos: [Photo] = []
    var pictures: [ResourceID: Data] = [:]
    var invites: [ReceivedInvite] = []
    var parts: [String: any FakePart] = [:]
    var streams: [AsyncThrowingStream<Data, any Error>.Continuation] = []

    var scene: FakeScene { FakeScene(user: user, now: now, groups: groups) }

    init(user: User, now: Date) {
        self.user = user
        self.now = now
    }

    mutating func addGroup(_ name: String) -> ResourceID {
        let me = Member(id: user.id, firstName: user.firstName, joinedAt: now)
        let group = PhotoGroup(
            id: ResourceID(UUID()), name: name, createdAt: now, members: [me], memberCount: 1,
            hasSentToday: false, nextSendAt: nil, lastPhotoAt: nil, muted: false)
        groups.append(group)
        return group.id
    }

    mutating func add(_ photo: FakePhoto, to group: ResourceID, sender: ResourceID? = nil) -> Photo {
        let created = now.addingTimeInterval(-(photo.age / .seconds(1)))
        let id = ResourceID(UUID())
        let stored = Photo(
            id: id, groupID: group, senderID: sender ?? ResourceID(UUID()), senderName: photo.senderName,
            createdAt: created, expiresAt: created.addingTimeInterval(48 * 3600), width: 8, height: 6,
            thumbhash: "1QcSHQRnh493V4dIh4eXh1h4kJUI", url: "\(FakeService.url)/files/\(id)",
            thumbnailURL: "\(FakeService.url)/files/\(id)", urlExpiresAt: now.addingTimeInterval(3600))
        photos.append(stored)
        pictures[id] = photo.picture
        if let index = groups.firstIndex(where: { $0.id == group }) { groups[index].lastPhotoAt = created }
        report(stored)
        return stored
    }

    /// Writes the event to the open streams.
    private func report(_ photo: Photo) {
        guard let data = try? ClientJSON.encode(PhotoCreatedEvent(groupID: photo.groupID, photo: photo))
        else {
            return
        }
        let number = photos.count
        let text =
            "id: \(number)\nevent: photo.created\ndata: \(String(decoding: data, as: UTF8.self))\n\n"
        for stream in streams { stream.yield(Data(text.utf8)) }
    }

    func feed(of group: ResourceID) -> PhotoFeed {
        PhotoFeed(photos: photos.filter { $0.groupID == group }, removed: [], cursor: String(photos.endIndex))
    }

    /// The photo of an upload, or the problem of the day.
    mutating func send(_ request: TransportRequest, to group: ResourceID) -> StubAnswer {
        guard let index = groups.firstIndex(where: { $0.id == group }) else {
            return .problem(404, .notFound)
        }
        let tomorrow = now.addingTimeInterval(24 * 3600)
        guard !groups[index].hasSentToday else {
            return .problem(409, ProblemCode.alreadySentToday.rawValue, nextSendAt: tomorrow)
        }
        let photo = FakePhoto(from: user.firstName ?? "User", picture: request.body ?? Data())
        groups[index].hasSentToday = true
        groups[index].nextSendAt = tomorrow
        return .json(add(photo, to: group, sender: user.id), status: 201)
    }
}

extension FakeService {
    static let url = URL(fileURLWithPath: "/")

    public static let user = User(
        id: ResourceID(UUID()), phoneNumber: "+14155550101", firstName: "Ada", timeZone: "UTC",
        discoverable: true, quietFrom: nil, quietTo: nil,
        createdAt: Date(timeIntervalSince1970: 1_790_000_000))

    /// The groups of a preview.
    public static let groups: KeyValuePairs<String, [FakePhoto]> = [
        "Breakfast": [
            FakePhoto(from: "Bob", age: .seconds(7200)), FakePhoto(from: "Cyd", age: .seconds(600)),
        ],
        "Family": [],
    ]
}
