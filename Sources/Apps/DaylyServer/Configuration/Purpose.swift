/// The purpose of a command, which decides the settings that it needs. A fault in another setting does not stop it.
package enum Purpose: Sendable {
    /// Serving, and every command that works with a part of what is served: all settings.
    case service
    /// `dayly migrate`: the database.
    case migrations
    /// `dayly sweep` and `dayly audit`: the database and the bucket, without the keys of clients.
    case upkeep

    func needs(_ key: String) -> Bool {
        let everywhere = ["environment", "data_dir", "database.", "log."]
        let prefixes: [String]
        switch self {
        case .service: return true
        case .migrations: prefixes = everywhere
        case .upkeep:
            prefixes = everywhere + ["storage.", "photos.lifetime", "photos.sweep", "audit.", "restore."]
        }
        return prefixes.contains(where: key.hasPrefix)
    }
}
