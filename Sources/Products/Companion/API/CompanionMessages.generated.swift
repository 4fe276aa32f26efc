// Generated from openapi.yaml by scripts/lib/wire.py --write. Do not edit.
// swift-format-ignore-file

import DaylyAPI
import Foundation

/// The caller's part in Companion. The answer of `GET /v1/companion/settings` and `PUT /v1/companion/settings`.
public struct CompanionPreferences: Codable, Hashable, Sendable {
    /// The version of the consent text to which the user agreed.
    public var consent: String
    /// As set last: the limit of tomorrow, in minutes of phone use a day. From 15 to 960.
    public var limitMinutes: Int
    /// From 15 to 960.
    public var limitMinutesToday: Int
    /// The minutes for which a bypass opens the shielded apps. `10`, `20`, `30`, `45` or `60`.
    public var cooldownMinutes: Int
    /// The times at which the shields are up; null is always.
    @Nullable public var schedule: CompanionShieldTimes?
    /// Whether a message tells an hour before the day's end that the diary waits.
    public var nightly: Bool
    public var joinedAt: Date

    public init(
        consent: String = "1", limitMinutes: Int, limitMinutesToday: Int, cooldownMinutes: Int,
        schedule: CompanionShieldTimes?, nightly: Bool, joinedAt: Date
    ) {
        self.consent = consent
        self.limitMinutes = limitMinutes
        self.limitMinutesToday = limitMinutesToday
        self.cooldownMinutes = cooldownMinutes
        self._schedule = Nullable(wrappedValue: schedule)
        self.nightly = nightly
        self.joinedAt = joinedAt
    }

    enum CodingKeys: String, CodingKey {
        case consent
        case limitMinutes = "limit_minutes"
        case limitMinutesToday = "limit_minutes_today"
        case cooldownMinutes = "cooldown_minutes"
        case schedule
        case nightly
        case joinedAt = "joined_at"
    }
}

/// The caller's choices; the first ones join. They replace: a member that is left out takes its default. The body of
/// `PUT /v1/companion/settings`.
public struct CompanionPreferencesRequest: Codable, Hashable, Sendable {
    /// The version of the consent text.
    public var consent: String
    /// A lower limit than today's holds at once, a higher one from tomorrow on. From 15 to 960.
    public var limitMinutes: Int
    /// 30 if it is left out. `10`, `20`, `30`, `45` or `60`.
    public var cooldownMinutes: Int?
    /// Null or left out: the shields are always up.
    public var schedule: CompanionShieldTimes?
    public var nightly: Bool?

    public init(
        consent: String = "1", limitMinutes: Int, cooldownMinutes: Int? = nil,
        schedule: CompanionShieldTimes? = nil, nightly: Bool? = nil
    ) {
        self.consent = consent
        self.limitMinutes = limitMinutes
        self.cooldownMinutes = cooldownMinutes
        self.schedule = schedule
        self.nightly = nightly
    }

    enum CodingKeys: String, CodingKey {
        case consent
        case limitMinutes = "limit_minutes"
        case cooldownMinutes = "cooldown_minutes"
        case schedule
        case nightly
    }
}

/// The times at which the shields are up, by the clock of the user's time zone.
public struct CompanionShieldTimes: Codable, Hashable, Sendable {
    public var from: String
    /// Excluded. At or before `from` it is on the next day; equal times are 24 hours.
    public var to: String
    /// The weekdays on which they begin; 1 is Monday. From 1 to 7.
    public var weekdays: [Int]

    public init(from: String, to: String, weekdays: [Int]) {
        self.from = from
        self.to = to
        self.weekdays = weekdays
    }
}

/// A phone that reports its owner's events to Companion.
public struct CompanionDevice: Codable, Hashable, Sendable, Identifiable {
    /// The phone's own id.
    public var id: ResourceID
    /// The greatest `seq` that the phone has sent; it may forget all events up to it.
    public var lastSeq: Int
    public var syncedAt: Date

    public init(id: ResourceID, lastSeq: Int, syncedAt: Date) {
        self.id = id
        self.lastSeq = lastSeq
        self.syncedAt = syncedAt
    }

    enum CodingKeys: String, CodingKey {
        case id
        case lastSeq = "last_seq"
        case syncedAt = "synced_at"
    }
}

/// The user's phones in the order of their registration. The answer of `GET /v1/companion/devices`.
public struct CompanionDeviceList: Codable, Hashable, Sendable {
    public var devices: [CompanionDevice]

    public init(devices: [CompanionDevice]) {
        self.devices = devices
    }
}

/// The answers of the first screens. The service keeps none of them. The body of `POST /v1/companion/survey`.
public struct CompanionSurvey: Codable, Hashable, Sendable {
    /// Under 2, 2-4, 4-6, 6-8, over 8 hours a day. From 0 to 4.
    public var use: Int
    /// From 0 to 3.
    public var dependence: Int
    /// From 0 to 3.
    public var sleep: Int
    /// From 0 to 3.
    public var withoutPhone: Int
    /// From 0 to 3.
    public var idle: Int
    /// `under_18`, `18_24`, `25_34`, `35_44`, `45_54` or `55_plus`.
    public var age: String

    public init(use: Int, dependence: Int, sleep: Int, withoutPhone: Int, idle: Int, age: String) {
        self.use = use
        self.dependence = dependence
        self.sleep = sleep
        self.withoutPhone = withoutPhone
        self.idle = idle
        self.age = age
    }

    enum CodingKeys: String, CodingKey {
        case use
        case dependence
        case sleep
        case withoutPhone = "without_phone"
        case idle
        case age
    }
}

/// The answer of `POST /v1/companion/survey`.
public struct CompanionSurveyResult: Codable, Hashable, Sendable {
    /// From 0 to 100.
    public var score: Int
    /// `low`, `mild`, `high` or `very_high`.
    public var level: String
    /// The years until the age of 80 that go to the phone, with one decimal.
    public var years: Double

    public init(score: Int, level: String, years: Double) {
        self.score = score
        self.level = level
        self.years = years
    }
}

/// An event of a phone. Members that the kind of event does not have are left out.
public struct CompanionSyncEvent: Codable, Hashable, Sendable {
    /// Rising within a phone.
    public var seq: Int
    /// `bypass`, `reshield`, `open` or `usage`.
    public var kind: String
    /// By the phone's clock.
    public var at: Date
    public var bootID: String?
    public var uptime: Int?
    /// The day that a report is about; needed for `usage`, and for it alone.
    public var day: String?
    /// The minutes of use on that day so far; needed for `usage`, and for it alone. From 0 to 3,600.
    public var minutes: Int?
    /// Whether no further report about the day follows.
    public var final: Bool?

    public init(
        seq: Int, kind: String, at: Date, bootID: String? = nil, uptime: Int? = nil, day: String? = nil,
        minutes: Int? = nil, final: Bool? = nil
    ) {
        self.seq = seq
        self.kind = kind
        self.at = at
        self.bootID = bootID
        self.uptime = uptime
        self.day = day
        self.minutes = minutes
        self.final = final
    }

    enum CodingKeys: String, CodingKey {
        case seq
        case kind
        case at
        case bootID = "boot_id"
        case uptime
        case day
        case minutes
        case final
    }
}

/// A phone's events, and its clocks at the time of sending. The body of `POST /v1/companion/sync`.
public struct CompanionSync: Codable, Hashable, Sendable {
    /// An id that the phone makes. The first sync with it registers the phone.
    public var deviceID: ResourceID
    public var clientTime: Date
    /// Identifies the phone's start since which `uptime` counts; both or neither.
    public var bootID: String?
    /// In seconds.
    public var uptime: Int?
    /// By `seq`, which rises strictly.
    public var events: [CompanionSyncEvent]

    public init(
        deviceID: ResourceID, clientTime: Date, bootID: String? = nil, uptime: Int? = nil,
        events: [CompanionSyncEvent]
    ) {
        self.deviceID = deviceID
        self.clientTime = clientTime
        self.bootID = bootID
        self.uptime = uptime
        self.events = events
    }

    enum CodingKeys: String, CodingKey {
        case deviceID = "device_id"
        case clientTime = "client_time"
        case bootID = "boot_id"
        case uptime
        case events
    }
}

/// An event that the service refused for good.
public struct CompanionRejection: Codable, Hashable, Sendable {
    public var seq: Int
    /// `too_many`, `bad_clock`, `too_old`, `unknown_day`, `locked`, `window_open` or `not_shielded`.
    public var reason: String

    public init(seq: Int, reason: String) {
        self.seq = seq
        self.reason = reason
    }
}

/// The answer of `POST /v1/companion/sync`.
public struct CompanionSyncAnswer: Codable, Hashable, Sendable {
    /// The phone may forget all of its events up to this number.
    public var acknowledged: Int
    public var rejected: [CompanionRejection]
    public var serverTime: Date
    /// The running day after the sync.
    public var day: CompanionDay

    public init(
        acknowledged: Int, rejected: [CompanionRejection], serverTime: Date, day: CompanionDay
    ) {
        self.acknowledged = acknowledged
        self.rejected = rejected
        self.serverTime = serverTime
        self.day = day
    }

    enum CodingKeys: String, CodingKey {
        case acknowledged
        case rejected
        case serverTime = "server_time"
        case day
    }
}

/// A day of the caller, and their cat on it. The answer of `GET /v1/companion/day` and `GET /v1/companion/days/{day}`.
public struct CompanionDay: Codable, Hashable, Sendable {
    /// The local date at its beginning.
    public var day: String
    public var beginsAt: Date
    public var endsAt: Date
    /// From 0 to 100.
    public var hp: Int
    /// The smallest that is at least the hp. `0`, `10`, `20`, `40`, `60`, `80` or `100`.
    public var band: Int
    /// `healthy`, `concerned`, `tired`, `weak` or `dead`.
    public var state: String
    /// Null: the cat is silent. `playful`, `concerned`, `strained`, `faint` or `dead`.
    @Nullable public var tone: String?
    /// `green`, `orange` or `red`.
    public var colour: String
    /// The accepted ones. From 0 to 20.
    public var bypasses: Int
    /// The bands below 100 that the day has reached. From 0 to 6.
    public var drops: Int
    /// The windows within the day; one counts in full once it opens.
    public var openSeconds: Int
    /// The last end of the windows that are open now.
    @Nullable public var openUntil: Date?
    /// The end of a day without hp.
    @Nullable public var lockedUntil: Date?
    @Nullable public var firstUseAt: Date?
    @Nullable public var lastUseAt: Date?
    /// From 15 to 960.
    public var limitMinutes: Int
    public var usedMinutes: Int
    /// Whether the used minutes are at most the limit.
    public var within: Bool
    /// The award of the closing; null: the day is not closed, or it had no report.
    @Nullable public var energy: Int?

    public init(
        day: String, beginsAt: Date, endsAt: Date, hp: Int, band: Int, state: String, tone: String?,
        colour: String, bypasses: Int, drops: Int, openSeconds: Int, openUntil: Date?, lockedUntil: Date?,
        firstUseAt: Date?, lastUseAt: Date?, limitMinutes: Int, usedMinutes: Int, within: Bool, energy: Int?
    ) {
        self.day = day
        self.beginsAt = beginsAt
        self.endsAt = endsAt
        self.hp = hp
        self.band = band
        self.state = state
        self._tone = Nullable(wrappedValue: tone)
        self.colour = colour
        self.bypasses = bypasses
        self.drops = drops
        self.openSeconds = openSeconds
        self._openUntil = Nullable(wrappedValue: openUntil)
        self._lockedUntil = Nullable(wrappedValue: lockedUntil)
        self._firstUseAt = Nullable(wrappedValue: firstUseAt)
        self._lastUseAt = Nullable(wrappedValue: lastUseAt)
        self.limitMinutes = limitMinutes
        self.usedMinutes = usedMinutes
        self.within = within
        self._energy = Nullable(wrappedValue: energy)
    }

    enum CodingKeys: String, CodingKey {
        case day
        case beginsAt = "begins_at"
        case endsAt = "ends_at"
        case hp
        case band
        case state
        case tone
        case colour
        case bypasses
        case drops
        case openSeconds = "open_seconds"
        case openUntil = "open_until"
        case lockedUntil = "locked_until"
        case firstUseAt = "first_use_at"
        case lastUseAt = "last_use_at"
        case limitMinutes = "limit_minutes"
        case usedMinutes = "used_minutes"
        case within
        case energy
    }
}

/// A text of the cat.
public struct CompanionEntry: Codable, Hashable, Sendable, Identifiable {
    public var id: ResourceID
    /// The day that the text is about.
    public var day: String
    /// The time of the event that caused the text.
    public var at: Date
    /// `welcome`, `band`, `terminal` or `nightly`.
    public var kind: String
    /// The pool that the text was chosen from. `welcome`, `band.80`, `band.60`, `band.40`, `band.20`, `band.10`, `band.0`,
    /// `terminal`, `plain`, `good` or `mixed`.
    public var pool: String
    /// The band that the cat fell to; null for a `welcome` and a `nightly`. `0`, `10`, `20`, `40`, `60`, `80` or `100`.
    @Nullable public var band: Int?
    /// The health points when the text was written. From 0 to 100.
    public var hp: Int
    /// The number of the text in its pool, from 0.
    public var number: Int
    /// The text with its figures filled in.
    public var text: String

    public init(
        id: ResourceID, day: String, at: Date, kind: String, pool: String, band: Int?, hp: Int, number: Int,
        text: String
    ) {
        self.id = id
        self.day = day
        self.at = at
        self.kind = kind
        self.pool = pool
        self._band = Nullable(wrappedValue: band)
        self.hp = hp
        self.number = number
        self.text = text
    }
}

/// The cat's texts, newest first. The answer of `GET /v1/companion/diary`.
public struct CompanionDiary: Codable, Hashable, Sendable {
    public var entries: [CompanionEntry]
    /// For the next page; null on the last one.
    @Nullable public var cursor: String?

    public init(entries: [CompanionEntry], cursor: String?) {
        self.entries = entries
        self._cursor = Nullable(wrappedValue: cursor)
    }
}

/// The templates of all texts, in the language of the request. The answer of `GET /v1/companion/texts`.
public struct CompanionTextPools: Codable, Hashable, Sendable {
    /// Rises with each change of the texts.
    public var version: Int
    /// By the names of `CompanionPool`.
    public var pools: [String: [String]]

    public init(version: Int, pools: [String: [String]]) {
        self.version = version
        self.pools = pools
    }
}

/// A user's pet. The answer of `GET /v1/companion/pet` and `PATCH /v1/companion/pet` and `POST /v1/companion/pet` and
/// `POST /v1/companion/pet` and `PUT /v1/companion/pet/outfit`.
public struct CompanionPet: Codable, Hashable, Sendable, Identifiable {
    public var id: ResourceID
    /// `cat` or `dog`.
    public var species: String
    public var name: String
    /// `healthy`, `sick` or `dead`.
    public var health: String
    /// A revived pet is fragile until then; null when that has passed, and if it was never revived.
    @Nullable public var fragileUntil: Date?
    /// Unfed days in a row.
    public var unfedDays: Int
    /// Whether today's food suffices.
    public var fedToday: Bool
    /// The energy that today's food cost.
    public var fedEnergy: Int
    /// Today's buff, as far as the pet's health lets it count. From 0 to 0.25.
    public var buff: Double
    /// From 0 to 100.
    public var fullness: Int
    /// From 0 to 10.
    public var mood: Int
    public var growth: Int
    /// `baby`, `young`, `adult` or `elder`.
    public var stage: String
    /// The day of adoption.
    public var bornOn: String
    /// The day at whose end it died; null while it lives.
    @Nullable public var diedOn: String?
    /// The ids of the cosmetics that it wears, sorted.
    public var outfit: [String]

    public init(
        id: ResourceID, species: String, name: String, health: String, fragileUntil: Date?, unfedDays: Int,
        fedToday: Bool, fedEnergy: Int, buff: Double, fullness: Int, mood: Int, growth: Int, stage: String,
        bornOn: String, diedOn: String?, outfit: [String]
    ) {
        self.id = id
        self.species = species
        self.name = name
        self.health = health
        self._fragileUntil = Nullable(wrappedValue: fragileUntil)
        self.unfedDays = unfedDays
        self.fedToday = fedToday
        self.fedEnergy = fedEnergy
        self.buff = buff
        self.fullness = fullness
        self.mood = mood
        self.growth = growth
        self.stage = stage
        self.bornOn = bornOn
        self._diedOn = Nullable(wrappedValue: diedOn)
        self.outfit = outfit
    }

    enum CodingKeys: String, CodingKey {
        case id
        case species
        case name
        case health
        case fragileUntil = "fragile_until"
        case unfedDays = "unfed_days"
        case fedToday = "fed_today"
        case fedEnergy = "fed_energy"
        case buff
        case fullness
        case mood
        case growth
        case stage
        case bornOn = "born_on"
        case diedOn = "died_on"
        case outfit
    }
}

/// The body of `POST /v1/companion/pet` and `POST /v1/companion/pet/restart`.
public struct CompanionNewPet: Codable, Hashable, Sendable {
    /// `cat` or `dog`.
    public var species: String
    public var name: String

    public init(species: String, name: String) {
        self.species = species
        self.name = name
    }
}

/// The body of `PATCH /v1/companion/pet`.
public struct CompanionPetName: Codable, Hashable, Sendable {
    public var name: String

    public init(name: String) {
        self.name = name
    }
}

/// The body of `POST /v1/companion/pet/feed`.
public struct CompanionMeal: Codable, Hashable, Sendable {
    /// The id of a food.
    public var itemID: String

    public init(itemID: String) {
        self.itemID = itemID
    }

    enum CodingKeys: String, CodingKey {
        case itemID = "item_id"
    }
}

/// An empty object. The body of `POST /v1/companion/pet/cure` and `POST /v1/companion/pet/revive`.
public struct CompanionRecoveryRequest: Codable, Hashable, Sendable {
    public init() {
    }
}

/// Everything that the pet wears afterwards. The body of `PUT /v1/companion/pet/outfit`.
public struct CompanionOutfit: Codable, Hashable, Sendable {
    /// The ids of cosmetics, at most one of each category.
    public var items: [String]

    public init(items: [String]) {
        self.items = items
    }
}

/// The answer of every call by which a user pays for something of the pet. The answer of `POST /v1/companion/pet/feed`
/// and `POST /v1/companion/pet/cure` and `POST /v1/companion/pet/revive` and `POST /v1/companion/pet/restart`.
public struct CompanionPetAndWallet: Codable, Hashable, Sendable {
    public var pet: CompanionPet
    public var wallet: CompanionWallet

    public init(pet: CompanionPet, wallet: CompanionWallet) {
        self.pet = pet
        self.wallet = wallet
    }
}

/// The body of `POST /v1/companion/cosmetics/{id}`.
public struct CompanionCosmeticPurchase: Codable, Hashable, Sendable {
    /// `energy` or `gems`.
    public var currency: String

    public init(currency: String) {
        self.currency = currency
    }
}

/// The answer of `POST /v1/companion/cosmetics/{id}`.
public struct CompanionCosmeticAndWallet: Codable, Hashable, Sendable {
    public var cosmetic: CompanionCosmetic
    public var wallet: CompanionWallet

    public init(cosmetic: CompanionCosmetic, wallet: CompanionWallet) {
        self.cosmetic = cosmetic
        self.wallet = wallet
    }
}

/// The balances that a user can pay with. The answer of `GET /v1/companion/wallet`.
public struct CompanionWallet: Codable, Hashable, Sendable {
    /// Earned by using the phone less. Never below 0.
    public var energy: Int
    /// Bought in the App Store. Below 0 only after a refund.
    public var gems: Int
    /// The token that the phone gives to the App Store with a purchase.
    public var appAccountToken: ResourceID

    public init(energy: Int, gems: Int, appAccountToken: ResourceID) {
        self.energy = energy
        self.gems = gems
        self.appAccountToken = appAccountToken
    }

    enum CodingKeys: String, CodingKey {
        case energy
        case gems
        case appAccountToken = "app_account_token"
    }
}

/// A change of a user's wallet.
public struct CompanionLedgerEntry: Codable, Hashable, Sendable, Identifiable {
    public var id: ResourceID
    public var at: Date
    /// `energy` or `gems`.
    public var currency: String
    /// Below 0: spent or taken back.
    public var amount: Int
    /// How much of the currency the user had afterwards.
    public var balance: Int
    /// `award`, `food`, `cosmetic`, `cure`, `revive`, `restart`, `purchase`, `refund` or `rollback`.
    public var kind: String
    /// The reason: the day of an award, the food, the cosmetic, the pet's id or the id of the transaction.
    public var ref: String

    public init(
        id: ResourceID, at: Date, currency: String, amount: Int, balance: Int, kind: String, ref: String
    ) {
        self.id = id
        self.at = at
        self.currency = currency
        self.amount = amount
        self.balance = balance
        self.kind = kind
        self.ref = ref
    }
}

/// The changes of the wallet, newest first. The answer of `GET /v1/companion/ledger`.
public struct CompanionLedgerPage: Codable, Hashable, Sendable {
    public var entries: [CompanionLedgerEntry]
    /// For the next page; null on the last one.
    @Nullable public var cursor: String?

    public init(entries: [CompanionLedgerEntry], cursor: String?) {
        self.entries = entries
        self._cursor = Nullable(wrappedValue: cursor)
    }
}

/// A food with the figures that it has for the user's pet.
public struct CompanionFood: Codable, Hashable, Sendable, Identifiable {
    public var id: String
    public var title: String
    /// `cat`, `dog` or `both`.
    public var species: String
    /// The price. From 1 to 500.
    public var energy: Int
    /// From 0 to 100.
    public var fullness: Int
    /// From 0 to 10.
    public var mood: Int
    /// The share by which the pet grows more today, such as 0.025. From 0 to 0.25.
    public var buff: Double
    /// The name of the animation in the apps.
    @Nullable public var animation: String?

    public init(
        id: String, title: String, species: String, energy: Int, fullness: Int, mood: Int, buff: Double,
        animation: String?
    ) {
        self.id = id
        self.title = title
        self.species = species
        self.energy = energy
        self.fullness = fullness
        self.mood = mood
        self.buff = buff
        self._animation = Nullable(wrappedValue: animation)
    }
}

/// A thing that the pet can wear. It changes no number.
public struct CompanionCosmetic: Codable, Hashable, Sendable, Identifiable {
    public var id: String
    public var title: String
    /// A pet wears at most one thing of a category.
    public var category: String
    /// The price in energy; null where energy does not buy it. From 1 to 5,000.
    @Nullable public var energy: Int?
    /// The price in gems; null where gems do not buy it. From 1 to 2,500.
    @Nullable public var gems: Int?
    /// The season in which it is sold: from `from` to before `to`.
    @Nullable public var from: Date?
    /// Excluded.
    @Nullable public var to: Date?
    public var owned: Bool
    /// It can be bought now: it is in season and not retired.
    public var available: Bool

    public init(
        id: String, title: String, category: String, energy: Int?, gems: Int?, from: Date?, to: Date?,
        owned: Bool, available: Bool
    ) {
        self.id = id
        self.title = title
        self.category = category
        self._energy = Nullable(wrappedValue: energy)
        self._gems = Nullable(wrappedValue: gems)
        self._from = Nullable(wrappedValue: from)
        self._to = Nullable(wrappedValue: to)
        self.owned = owned
        self.available = available
    }
}

/// The cure of a sick pet, or the revival of a dead one.
public struct CompanionRecoveryOffer: Codable, Hashable, Sendable {
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
public struct CompanionRestartOffer: Codable, Hashable, Sendable {
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

/// The prices of a cure, a revival and a new pet.
public struct CompanionRecovery: Codable, Hashable, Sendable {
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

/// Everything that is sold, with the prices of now. The answer of `GET /v1/companion/catalog`.
public struct CompanionCatalog: Codable, Hashable, Sendable {
    /// Rises with each catalogue that comes into force.
    public var version: Int
    /// The foods for the user's pet; without a pet all.
    public var foods: [CompanionFood]
    public var cosmetics: [CompanionCosmetic]
    public var recovery: CompanionRecovery

    public init(
        version: Int, foods: [CompanionFood], cosmetics: [CompanionCosmetic], recovery: CompanionRecovery
    ) {
        self.version = version
        self.foods = foods
        self.cosmetics = cosmetics
        self.recovery = recovery
    }
}

/// A feature that an operator switches on or off for all clients.
public struct CompanionFlag: Codable, Hashable, Sendable {
    public var key: String
    public var enabled: Bool

    public init(key: String, enabled: Bool) {
        self.key = key
        self.enabled = enabled
    }
}

/// The answer of `GET /v1/companion/flags`.
public struct CompanionFlags: Codable, Hashable, Sendable {
    public var flags: [CompanionFlag]

    public init(flags: [CompanionFlag]) {
        self.flags = flags
    }
}

/// A pet that died, and whose owner has a new one.
public struct CompanionMemorial: Codable, Hashable, Sendable, Identifiable {
    public var id: ResourceID
    public var name: String
    /// `cat` or `dog`.
    public var species: String
    /// `baby`, `young`, `adult` or `elder`.
    public var stage: String
    /// The day of adoption.
    public var bornOn: String
    /// The day at whose end it died.
    public var diedOn: String
    /// The days on which it lived, the first and the last included.
    public var days: Int
    /// The ids of the cosmetics that it wore, sorted.
    public var outfit: [String]

    public init(
        id: ResourceID, name: String, species: String, stage: String, bornOn: String, diedOn: String,
        days: Int, outfit: [String]
    ) {
        self.id = id
        self.name = name
        self.species = species
        self.stage = stage
        self.bornOn = bornOn
        self.diedOn = diedOn
        self.days = days
        self.outfit = outfit
    }

    enum CodingKeys: String, CodingKey {
        case id
        case name
        case species
        case stage
        case bornOn = "born_on"
        case diedOn = "died_on"
        case days
        case outfit
    }
}

/// The user's dead pets, newest first. The answer of `GET /v1/companion/memorials`.
public struct CompanionMemorialPage: Codable, Hashable, Sendable {
    public var memorials: [CompanionMemorial]
    /// For the next page; null on the last one.
    @Nullable public var cursor: String?

    public init(memorials: [CompanionMemorial], cursor: String?) {
        self.memorials = memorials
        self._cursor = Nullable(wrappedValue: cursor)
    }
}

/// The body of `POST /v1/companion/purchases`.
public struct CompanionPurchase: Codable, Hashable, Sendable {
    /// The signed transaction, as StoreKit gives it.
    public var signedTransaction: String

    public init(signedTransaction: String) {
        self.signedTransaction = signedTransaction
    }

    enum CodingKeys: String, CodingKey {
        case signedTransaction = "signed_transaction"
    }
}

/// The answer of `POST /v1/companion/purchases`.
public struct CompanionPurchaseAnswer: Codable, Hashable, Sendable {
    public var wallet: CompanionWallet
    /// The App Store's id of the transaction.
    public var transactionID: String

    public init(wallet: CompanionWallet, transactionID: String) {
        self.wallet = wallet
        self.transactionID = transactionID
    }

    enum CodingKeys: String, CodingKey {
        case wallet
        case transactionID = "transaction_id"
    }
}

/// A message that only the App Store sends. The body of `POST /v1/companion/store-notifications`.
public struct CompanionStoreNotification: Codable, Hashable, Sendable {
    /// As the App Store sends it.
    public var signedPayload: String

    public init(signedPayload: String) {
        self.signedPayload = signedPayload
    }
}
