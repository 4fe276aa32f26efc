import Foundation
import Synchronization

/// A photo as an answer showed it.
package struct SeenPhoto: Sendable, Equatable {
    package var id: String
    package var group: String
    package var sender: String
    package var createdAt: Date
    package var expiresAt: Date
    package var urlExpiresAt: Date
    package var url: String

    package init(
        id: String, group: String, sender: String, createdAt: Date, expiresAt: Date, urlExpiresAt: Date,
        url: String = ""
    ) {
        self.id = id
        self.group = group
        self.sender = sender
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.urlExpiresAt = urlExpiresAt
        self.url = url
    }
}

/// A client's request.
package enum Call: Sendable, Equatable {
    case verify(verification: String)
    case refresh(parent: String)
    case createGroup
    case redeem(code: String, group: String)
    /// `bytes` tells uploads under one key apart; `day` counts the sender's days in the group.
    case upload(group: String, key: String, bytes: Int, day: Int)
    case hostileUpload(group: String, mayBeTaken: Bool)
    case feed(group: String)
    case photo(id: String)
    case fetch(photo: String)
    case leave(group: String)
    case remove(group: String, member: String)
    case deletePhoto(id: String)
    case deleteAccount
    case other(String)
}

/// The answer.
package enum Answer: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        case nothing
        case group(String)
        case photos([SeenPhoto])
        case tokens(refresh: String)
        case problem(String)
    }

    /// No answer, or half of one: the call may or may not have had its effect.
    case lost
    case status(Int, Content)

    package var status: Int? {
        if case .status(let status, _) = self { status } else { nil }
    }

    package var isSuccess: Bool { (200..<300).contains(status ?? 0) }

    package var problem: String? {
        if case .status(_, .problem(let code)) = self { code } else { nil }
    }

    package var photos: [SeenPhoto] {
        if case .status(_, .photos(let photos)) = self { photos } else { [] }
    }
}

/// A call with its answer. Times are this machine's, which is the servers' too.
package struct Entry: Sendable {
    package var user: String
    package var call: Call
    package var start: Date
    package var end: Date
    package var answer: Answer

    package init(user: String, call: Call, start: Date, end: Date, answer: Answer) {
        self.user = user
        self.call = call
        self.start = start
        self.end = end
        self.answer = answer
    }
}

/// Breaches that a cell itself saw.
package enum Observation: Sendable, Equatable {
    /// An object was put that the ledger does not know.
    case putWithoutRow(String)
    /// A rule that only the cell can judge.
    case broken(invariant: Int, String)
}

/// Everything that clients did and were told, in the order of the answers.
package final class History: Sendable {
    private let all = Mutex<(entries: [Entry], observations: [Observation])>(([], []))

    private let told = Mutex<[String]>([])

    package init() {}

    package var remarks: [String] { told.withLock { $0 } }

    package func add(_ entry: Entry) { all.withLock { $0.entries.append(entry) } }
    /// Something for people to read beside the findings.
    package func tell(_ remark: String) { told.withLock { $0.append(remark) } }
    package func note(_ observation: Observation) { all.withLock { $0.observations.append(observation) } }

    package var entries: [Entry] { all.withLock { $0.entries } }
    package var observations: [Observation] { all.withLock { $0.observations } }
}
