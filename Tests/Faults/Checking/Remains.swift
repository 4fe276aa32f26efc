/// A row of `photos`.
package struct StoredPhoto: Sendable {
    package var id: String
    package var group: String
    package var sender: String
    package var day: String
    package var isLive: Bool
    package var isExpired: Bool
    package var keys: [String]

    package init(
        id: String, group: String, sender: String, day: String = "today", isLive: Bool = true,
        isExpired: Bool = false, keys: [String] = []
    ) {
        self.id = id
        self.group = group
        self.sender = sender
        self.day = day
        self.isLive = isLive
        self.isExpired = isExpired
        self.keys = keys
    }
}

/// Database, bucket and folders at one moment.
package struct Remains: Sendable {
    package var photos: [StoredPhoto] = []
    package var ledger: Set<String> = []
    package var objects: [String: [UInt8]] = [:]
    package var mostGroups = 0
    package var mostMembers = 0
    /// Every row of every table as text.
    package var database: [String] = []
    package var files: [String: [UInt8]] = [:]

    package init() {}
}

/// A breach, and the invariant that it breaks; 0 where it breaks none of the ten.
package struct Finding: Sendable, Hashable, CustomStringConvertible {
    package let invariant: Int
    package let text: String
    /// The events before it, where they are known.
    package var story: [String] = []

    package init(_ invariant: Int, _ text: String) {
        self.invariant = invariant
        self.text = text
    }

    package var description: String {
        (["[\(invariant)] \(text)"] + story.map { "    " + $0 }).joined(separator: "\n")
    }
}
