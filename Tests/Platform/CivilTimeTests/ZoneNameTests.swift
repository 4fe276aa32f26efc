import CivilTime
import Foundation
import Testing

@Suite("Former names of time zones")
struct ZoneNameTests {
    /// The names that the zone database lists for countries, and its links.
    private static func database() throws -> (countries: Set<Substring>, links: [Substring: Substring]) {
        let folder = URL(filePath: "/usr/share/zoneinfo")
        let table = try String(contentsOf: folder.appending(path: "zone.tab"), encoding: .utf8)
        let rules = try String(contentsOf: folder.appending(path: "tzdata.zi"), encoding: .utf8)
        let links = rules.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0[0] == "L" }
        return (
            Set(
                table.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
                    $0.split(separator: "\t")[2]
                }),
            Dictionary(links.map { ($0[2], $0[1]) }) { one, _ in one }
        )
    }

    @Test(
        "every link of the machine's zone database that is not a country's own name has a present name that is one"
    )
    func complete() throws {
        let (countries, links) = try Self.database()
        let former = links.keys.filter { !countries.contains($0) && !["UTC", "GMT"].contains($0) }
        #expect(former.count > 100)
        for name in former {
            let present = ZoneNames.spellings(of: String(name))[0]
            #expect(
                present != name && (countries.contains(present[...]) || present.hasPrefix("Etc/")), "\(name)")
        }
        for name in countries { #expect(ZoneNames.spellings(of: String(name))[0] == name) }
    }

    @Test("all names of a place lead to each other, the present one first")
    func spellings() {
        #expect(ZoneNames.spellings(of: "Asia/Calcutta") == ["Asia/Kolkata", "Asia/Calcutta"])
        #expect(ZoneNames.spellings(of: "Asia/Kolkata") == ["Asia/Kolkata", "Asia/Calcutta"])
        #expect(ZoneNames.spellings(of: "Europe/Kyiv").contains("Europe/Kiev"))
        #expect(ZoneNames.spellings(of: "Mars/Olympus") == ["Mars/Olympus"])
    }
}
