import DaylyAPI
import DaylyClient
import Foundation

/// A client in a terminal, in as many lines as an app needs. DAYLY_CLIENT_URL is the service, DAYLY_CLIENT_FOLDER holds the
/// session and queued photos.
///
///     dayly-client request-code +14155550101
///     dayly-client sign-in VERIFICATION CODE Ada
///     dayly-client new-group Breakfast +14155550102
///     dayly-client join
///     dayly-client send photo.jpg
///     dayly-client watch
@main
struct DaylyClientExample {
    let dayly: Dayly

    static func main() async {
        do {
            try await DaylyClientExample().run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            let reason = error as? DaylyError
            print(reason?.errorDescription ?? "\(error)", reason?.recoverySuggestion ?? "")
            exit(1)
        }
    }

    init() throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = URL(fileURLWithPath: environment["DAYLY_CLIENT_FOLDER"] ?? ".dayly-client")
        guard let url = URL(string: environment["DAYLY_CLIENT_URL"] ?? "http://127.0.0.1:8080") else {
            throw DaylyError.networkUnavailable
        }
        let tokens = FileTokenStore(file: folder.appendingPathComponent("session.json"))
        dayly = Dayly(.init(url: url, tokens: tokens, folder: folder, deviceName: "a terminal"))
    }

    func run(_ words: [String]) async throws {
        switch (words.first, words.count) {
        case ("request-code", 2):
            print(try await dayly.auth.requestVerification(phoneNumber: words[1]).verificationID)
        case ("sign-in", 4):
            guard let id = UUID(uuidString: words[1]) else { throw DaylyError.verificationFailed() }
            let signIn = try await dayly.auth.signIn(ResourceID(id), code: words[2], firstName: words[3])
            print("Signed in as \(signIn.user.firstName ?? "User").")
        case ("new-group", 3...):
            let created = try await dayly.groups.create(name: words[1], inviting: Array(words[2...]))
            print("Made \(created.group.name).")
        case ("join", 1):
            for invite in try await dayly.invites.received() {
                print("Joined \(try await dayly.invites.redeem(invite.code).groupName).")
            }
        case ("send", 2): try await send(URL(fileURLWithPath: words[1]))
        case ("watch", 1): try await watch()
        case ("sign-out", 1): try await dayly.auth.signOut()
        default:
            print("usage: request-code NUMBER | sign-in VERIFICATION CODE NAME | new-group NAME NUMBER…")
            print("       join | send FILE | watch | sign-out")
        }
    }

    /// Queues a photo for every group, and waits until the queue is empty. Without a session it stays there.
    private func send(_ file: URL) async throws {
        let groups = try await dayly.groups.list().map(\.id)
        var sent = Set(try await dayly.uploads.enqueue(photo: Data(contentsOf: file), groups: groups))
        for await items in dayly.uploads.items {
            if items.contains(where: { $0.state == .signedOut }) { throw DaylyError.signedOut }
            for item in items where item.state == .stopped {
                sent.remove(item.id)
                print("Not sent: \(item.problemDetail ?? item.problem?.rawValue ?? "")")
                await dayly.uploads.discard(item.id)
            }
            if items.isEmpty { return print("Sent to \(sent.count) of \(groups.count) groups.") }
        }
    }

    /// Says what happens in the groups, until Ctrl-C.
    private func watch() async throws {
        for try await event in dayly.events {
            switch event {
            case .photoCreated(let created):
                let picture = try await dayly.pictures.picture(of: created.photo)
                print("A photo by \(created.photo.senderName): \(picture?.count ?? 0) bytes")
            case .photoDeleted(let deleted): await dayly.pictures.forget(deleted.photoID)
            case .memberJoined(let member): print("\(member.firstName ?? "User") joined.")
            case .memberLeft(let member): print("\(member.firstName ?? "User") left.")
            case .groupUpdated(let group): print("A group is called \(group.name).")
            case .hint, .hintsMissed: break
            case .resync: print("Watching \(try await dayly.groups.list().count) groups.")
            }
            fflush(nil)
        }
    }
}
