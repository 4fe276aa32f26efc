import DaylyTesting
import ProgramTesting

/// A membership.
struct Seat: Sendable {
    let person: Client
    let group: String
    /// Everybody who belongs into the group.
    let members: [Client]
    /// Whether it is the person's first: what concerns the person as a whole happens there.
    let isFirst: Bool
}

/// People and the groups that they belong into: everybody in as many as may be, every group full.
struct Crowd: Sendable {
    let seats: [Seat]
    let visitors = Counter(4_999)

    /// Signs everybody in and fills the groups; before anything fails.
    static func gather(in world: World, groups: Int, servers: Servers) async throws -> Crowd {
        let (perGroup, perPerson) = (RandomRun.membersPerGroup, RandomRun.groupsPerPerson)
        let people = (0..<groups * perGroup / perPerson).map { Client(world, $0) }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for person in people {
                tasks.addTask {
                    try await person.signIn(at: servers.url)
                    try await person.registerDevices(at: servers.url)
                }
            }
            try await tasks.waitForAll()
        }
        let circles = (0..<groups).map { group in
            // Twelve in a row, around the circle: everybody comes up five times.
            (0..<perGroup).map { people[(group * perGroup + $0) % people.count] }
        }
        let gate = Gate(places: 6)
        let seats = try await withThrowingTaskGroup(of: [Seat].self) { tasks in
            for members in circles {
                tasks.addTask { try await gate.pass { try await fill(members, at: servers) } }
            }
            return try await tasks.reduce(into: []) { $0 += $1 }
        }
        var seen: Set<String> = []
        return Crowd(
            seats: seats.map { seat in
                let isFirst = seen.insert(seat.person.id).inserted
                return Seat(person: seat.person, group: seat.group, members: seat.members, isFirst: isFirst)
            })
    }

    private static func fill(_ members: [Client], at servers: Servers) async throws -> [Seat] {
        let guests = Array(members.dropFirst())
        guard let made = try await members[0].createGroup(inviting: guests, at: servers.url) else {
            throw ProxyError(description: "there is no group")
        }
        for (guest, code) in zip(guests, made.codes) {
            guard await guest.redeem(code, of: made.id, at: servers.url).isSuccess else {
                throw ProxyError(description: "\(guest.name) cannot join")
            }
        }
        return members.map { Seat(person: $0, group: made.id, members: members, isFirst: false) }
    }
}
