import DaylyAPI
import DaylyTesting
import Foundation
import ProgramTesting
import Synchronization

/// Somebody with a phone. Every call and its answer go into the history.
package final class Client: Sendable {
    package let name: String
    package let number: String
    let world: World
    private let state = Mutex<(id: String, access: String, refresh: String)>(("", "", ""))
    private let pause = Mutex<Int?>(nil)

    package init(_ world: World, _ index: Int) {
        self.world = world
        name = "Client \(index)"
        number = "+491511" + String(2_000_000 + index)
    }

    package var id: String { state.withLock { $0.id } }
    package var refreshToken: String { state.withLock { $0.refresh } }
    package var isSignedIn: Bool { !id.isEmpty }
    var accessToken: String { state.withLock { $0.access } }
    /// The seconds of the last answer's `Retry-After`; nil where it had none.
    var wantedPause: Int? { pause.withLock { $0 } }

    // As Apple's look, and as Google's do.
    var iPhone: String { String(repeating: "0", count: 64 - digits.count) + digits }
    var android: String { "android-\(digits)-" }
    private var digits: Substring { number.dropFirst() }

    // MARK: Signing in

    package func requestCode(at url: String) async throws -> (verification: String, code: String)? {
        let before = world.inbox.count(to: number)
        let body = VerificationRequest(phoneNumber: number)
        let (_, reply) = await post(
            url, "/v1/auth/request-verification", body, .other("request"), isOpen: true)
        guard let reply, reply.status == 202 else { return nil }
        let verification = try reply.decode(VerificationStarted.self).verificationID.description
        let code = try? await eventually("a code", within: .seconds(8)) {
            world.inbox.code(to: number, after: before)
        }
        return code.map { (verification, $0) }
    }

    /// Presents a code; the first who succeeds is signed in.
    @discardableResult
    package func verify(_ verification: String, _ code: String, at url: String) async -> Answer {
        let body = VerifyRequest(
            verificationID: verification, code: code, firstName: name, timeZone: "UTC", deviceName: nil)
        let call = Call.verify(verification: verification)
        return await post(url, "/v1/auth/verify", body, call, isOpen: true).answer
    }

    /// Until it works: codes may get lost.
    package func signIn(at url: String) async throws {
        for _ in 1...20 {
            if let (verification, code) = try await requestCode(at: url),
                await verify(verification, code, at: url).isSuccess
            {
                return
            }
            try await Task.sleep(for: .milliseconds(200))
        }
        throw TimedOut(description: "\(name) cannot sign in")
    }

    @discardableResult
    package func refresh(_ parent: String, at url: String) async -> Answer {
        let body = RefreshRequest(refreshToken: parent)
        return await post(url, "/v1/auth/refresh", body, .refresh(parent: parent), isOpen: true).answer
    }

    /// A phone and a tablet, at which the owner is told of photos from now on.
    package func registerDevices(at url: String) async throws {
        for (token, platform) in [(iPhone, "ios"), (android, "android")] {
            let body = DeviceRegistration(deviceToken: token, platform: platform)
            let (answer, _) = await post(url, "/v1/devices/register", body, .other("device"))
            guard answer.isSuccess else {
                throw ProxyError(description: "\(name) cannot register a device: \(answer)")
            }
        }
    }

    // MARK: Groups

    /// - Returns: the group and the codes, in the order of the invited.
    package func createGroup(inviting others: [Client], at url: String) async throws -> (
        id: String, codes: [String]
    )? {
        let body = GroupCreation(name: "Group", memberPhoneNumbers: others.map(\.number))
        let (_, reply) = await post(url, "/v1/groups", body, .createGroup)
        guard let reply, reply.status == 201 else { return nil }
        let made = try reply.decode(GroupCreated.self)
        let codes = others.map { other in
            made.invitations.first { $0.phoneNumber == other.number }?.code ?? ""
        }
        return (made.group.id.description, codes)
    }

    /// - Returns: the code; nil where `other` is a member already, or nobody was invited.
    package func invite(
        _ other: Client, to group: String, at url: String
    ) async -> (answer: Answer, code: String?) {
        let body = InviteRequest(groupID: group, phoneNumbers: [other.number])
        let (answer, reply) = await post(url, "/v1/invites/send", body, .other("invite"))
        guard let reply, reply.status == 200 else { return (answer, nil) }
        return (answer, try? reply.decode(InvitesSent.self).sent.first?.code)
    }

    @discardableResult
    package func redeem(_ code: String, of group: String, at url: String) async -> Answer {
        await post(url, "/v1/invites/redeem", InviteRedemption(code: code), .redeem(code: code, group: group))
            .answer
    }

    @discardableResult
    package func leave(_ group: String, at url: String) async -> Answer {
        await send("DELETE", url, "/v1/groups/\(group)", .leave(group: group)).answer
    }

    @discardableResult
    package func remove(_ member: String, from group: String, at url: String) async -> Answer {
        let call = Call.remove(group: group, member: member)
        return await send("DELETE", url, "/v1/groups/\(group)/members/\(member)", call).answer
    }

    @discardableResult
    package func deleteAccount(at url: String) async -> Answer {
        await send("DELETE", url, "/v1/users/me", .deleteAccount).answer
    }

    // MARK: Photos

    /// Sends the picture that `bytes` makes.
    @discardableResult
    package func upload(
        to group: String, key: String, bytes: Int = 1, day: Int = 0, at url: String
    ) async -> Answer {
        let call = Call.upload(group: group, key: key, bytes: bytes, day: day)
        let picture = Pictures.jpeg(width: 32, height: 24, seed: bytes)
        return await upload(picture, to: group, key: key, call, at: url)
    }

    @discardableResult
    package func upload(
        _ file: HostileFiles.File, to group: String, key: String, at url: String
    ) async -> Answer {
        let call = Call.hostileUpload(group: group, mayBeTaken: file.mayBeTaken)
        return await upload(file.bytes, to: group, key: key, call, at: url)
    }

    private func upload(
        _ body: [UInt8], to group: String, key: String, _ call: Call, at url: String
    ) async -> Answer {
        await send(
            "POST", url, "/v1/groups/\(group)/photos", call,
            ["Content-Type": "image/jpeg", "Idempotency-Key": key], body
        ).answer
    }

    @discardableResult
    package func feed(_ group: String, at url: String) async -> Answer {
        await send("GET", url, "/v1/groups/\(group)/photos", .feed(group: group)).answer
    }

    @discardableResult
    package func photo(_ id: String, at url: String) async -> Answer {
        await send("GET", url, "/v1/photos/\(id)", .photo(id: id)).answer
    }

    @discardableResult
    package func deletePhoto(_ id: String, at url: String) async -> Answer {
        await send("DELETE", url, "/v1/photos/\(id)", .deletePhoto(id: id)).answer
    }

    /// Fetches the photo itself by its signed URL, from the store.
    @discardableResult
    package func fetch(_ photo: SeenPhoto) async -> Answer {
        let start = Date()
        let reply = try? await Web.send("GET", photo.url, timeout: .seconds(20))
        let isPicture = reply?.bytes.starts(with: [0xFF, 0xD8, 0xFF]) ?? false
        let answer = reply.map { Answer.status($0.status == 200 && !isPicture ? 299 : $0.status, .nothing) }
        let entry = Entry(
            user: id, call: .fetch(photo: photo.id), start: start, end: Date(), answer: answer ?? .lost)
        world.history.add(entry)
        return entry.answer
    }

    // MARK: Other calls

    /// A call with JSON; nil: its answer was lost.
    func call(
        _ method: String, _ path: String, _ body: String? = nil, key: String? = nil, at url: String
    ) async -> HTTPAnswer? {
        var headers = body == nil ? [:] : ["Content-Type": "application/json"]
        if let key { headers["Idempotency-Key"] = key }
        return await send(
            method, url, path, .other("\(method) \(path)"), headers, body.map { Array($0.utf8) }
        )
        .reply
    }

    // MARK: Speaking HTTP

    private func post(
        _ url: String, _ path: String, _ body: some Encodable, _ call: Call, isOpen: Bool = false
    ) async -> (answer: Answer, reply: HTTPAnswer?) {
        let bytes = (try? JSONEncoder().encode(body)).map { [UInt8]($0) } ?? []
        return await send(
            "POST", url, path, call, ["Content-Type": "application/json"], bytes, isOpen: isOpen)
    }

    private func send(
        _ method: String, _ url: String, _ path: String, _ call: Call, _ more: [String: String] = [:],
        _ body: [UInt8]? = nil, isOpen: Bool = false
    ) async -> (answer: Answer, reply: HTTPAnswer?) {
        var headers = more
        if !isOpen { headers["Authorization"] = "Bearer \(accessToken)" }
        let (user, start) = (id, Date())
        let reply = try? await Web.send(
            method, url + path, headers: headers, body: body, timeout: .seconds(30))
        let answer = reply.map { understand($0, call) } ?? .lost
        pause.withLock { $0 = reply?.retryAfter }
        world.history.add(Entry(user: user, call: call, start: start, end: Date(), answer: answer))
        return (answer, reply)
    }

    /// Half an answer is none.
    private func understand(_ reply: HTTPAnswer, _ call: Call) -> Answer {
        guard (200..<300).contains(reply.status) else {
            return .status(reply.status, reply.code.map(Answer.Content.problem) ?? .nothing)
        }
        do {
            return .status(reply.status, try content(of: reply, call))
        } catch {
            return .status(reply.status, .problem("unreadable answer"))
        }
    }

    private func content(of reply: HTTPAnswer, _ call: Call) throws -> Answer.Content {
        switch call {
        case .verify, .refresh:
            let tokens = try reply.decode(TokenResponse.self)
            state.withLock {
                $0 = (tokens.user.id.description, tokens.accessToken, tokens.refreshToken)
            }
            return .tokens(refresh: tokens.refreshToken)
        case .createGroup: return .group(try reply.decode(GroupCreated.self).group.id.description)
        case .redeem: return .group(try reply.decode(InviteRedeemed.self).groupID.description)
        case .feed: return .photos(try reply.decode(PhotoFeed.self).photos.map(SeenPhoto.init))
        case .photo, .upload, .hostileUpload: return .photos([SeenPhoto(try reply.decode(Photo.self))])
        default: return .nothing
        }
    }
}

extension SeenPhoto {
    init(_ photo: Photo) {
        self.init(
            id: photo.id.description, group: photo.groupID.description, sender: photo.senderID.description,
            createdAt: photo.createdAt, expiresAt: photo.expiresAt, urlExpiresAt: photo.urlExpiresAt,
            url: photo.url)
    }
}
