import DaylyAPI
import Foundation

/// The member `recovery` of `GET /v1/companion/catalog`.
public struct CompanionRecovery: Codable, Sendable, Equatable {
    public var cure: CompanionRecoveryOffer
    public var revive: CompanionRecoveryOffer
    public var restart: CompanionRestartOffer

    public init(
        cure: CompanionRecoveryOffer, revive: CompanionRecoveryOffer, restart: CompanionRestartOffer
    ) {
        self.cure = cure
        self.revive = revive
        self.restart = restart
    }
}

/// The cure of a sick pet, or the revival of a dead one.
public struct CompanionRecoveryOffer: Codable, Sendable, Equatable {
    /// The price now.
    public var gems: Int
    /// When pause and count allow it again; null if they allow it now.
    @Nullable public var retryAt: Date?

    public init(gems: Int, retryAt: Date?) {
        self.gems = gems
        self._retryAt = Nullable(wrappedValue: retryAt)
    }

    enum CodingKeys: String, CodingKey {
        case gems
        case retryAt = "retry_at"
    }
}

/// A new pet in place of a dead one.
public struct CompanionRestartOffer: Codable, Sendable, Equatable {
    /// The price now.
    public var gems: Int
    /// When the pause allows it again; null if it allows it now.
    @Nullable public var retryAt: Date?
    /// When it costs nothing any more; null unless the pet is dead.
    @Nullable public var freeAt: Date?

    public init(gems: Int, retryAt: Date?, freeAt: Date?) {
        self.gems = gems
        self._retryAt = Nullable(wrappedValue: retryAt)
        self._freeAt = Nullable(wrappedValue: freeAt)
    }

    enum CodingKeys: String, CodingKey {
        case gems
        case retryAt = "retry_at"
        case freeAt = "free_at"
    }
}
