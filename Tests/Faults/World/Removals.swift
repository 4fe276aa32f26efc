import Synchronization

/// Guards of the schema that are taken out of every database made here, to see which cells miss them.
package enum Removal: String, Sendable, CaseIterable {
    case onePhotoPerDay = "photos_one_per_day"
    case forgetObjects = "photos_forget_objects"

    var statement: String {
        switch self {
        case .onePhotoPerDay: "ALTER TABLE photos DROP CONSTRAINT photos_one_per_day"
        case .forgetObjects: "DROP TRIGGER photos_forget_objects ON photos"
        }
    }
}

/// Which guards are out. Set before anything is run.
package struct Removals: Sendable {
    private static let chosen = Mutex<[Removal]>([])

    package static var current: Removals {
        get { Removals(all: chosen.withLock { $0 }) }
        set { chosen.withLock { $0 = newValue.all } }
    }

    package let all: [Removal]

    package init(all: [Removal]) { self.all = all }

    var statements: [String] { all.map(\.statement) }
}
