import Foundation

/// Another way to the same line: a form that a numbering plan has given up, or that only callers of one country dial.
///
/// All digits are kept behind each other: the first `keep` stay, `drop` go, `insert` takes their place, the rest stays.
/// The result is the form that a text message from abroad reaches. A form without one certain result is not in the table.
struct NumberingPlanChange: Sendable {
    /// A shell pattern (fnmatch) for all digits, beginning with the country code.
    let form: String
    let keep: Int
    let drop: Int
    let insert: String

    init(_ form: String, keep: Int, drop: Int = 0, insert: String = "") {
        self.form = form
        self.keep = keep
        self.drop = drop
        self.insert = insert
    }

    /// - Parameter digits: a number without its plus.
    /// - Returns: the digits of the same line's living form; nil when the form does not match.
    func applied(to digits: String) -> String? {
        guard digits.hasPrefix(form.prefix(2)), fnmatch(form, digits, 0) == 0 else { return nil }
        return digits.prefix(keep) + insert + digits.dropFirst(keep + drop)
    }

    /// The given-up form of a living one, for a library whose metadata is older than the change.
    func undone(_ digits: String) -> String? {
        guard drop == 0, digits.dropFirst(keep).hasPrefix(insert) else { return nil }
        let older = digits.prefix(keep) + digits.dropFirst(keep + insert.count)
        return applied(to: String(older)) == digits ? String(older) : nil
    }

    /// The digits of the living form, and nil where `digits` have no other form.
    static func living(_ digits: String) -> String? {
        all.lazy.compactMap { $0.applied(to: digits) }.first
    }

    static func undone(_ digits: String) -> String? {
        all.lazy.compactMap { $0.undone(digits) }.first
    }

    /// Ranges that the metadata has for pagers and the like, and that mobile phones have got since.
    static func isMobileSince(_ digits: String) -> Bool {
        ["6426*", "852710[1-4]????", "85630???????"].contains { (form: String) in
            fnmatch(form, digits, 0) == 0
        }
    }

    // Changes since 2010 whose old form the metadata takes for another line, and later ones. The year is the change's.
    private static let all: [NumberingPlanChange] = [
        // Argentina: the 9 of mobile lines, which callers inside leave out (or dial as 15, which the library reads).
        .init("54[123]?????????", keep: 2, insert: "9"),
        .init("549????????????", keep: 2, drop: 1),
        // Benin, November 2024.
        .init("229[2-9]???????", keep: 3, insert: "01"),
        // Brazil, 2012 to 2016: the ninth digit of mobile lines.
        .init("55[1-9][1-9][6-9]???????", keep: 4, insert: "9"),
        // Cameroon, 2014: mobile and fixed lines.
        .init("237[5-79]???????", keep: 3, insert: "6"), .init("237[23]???????", keep: 3, insert: "2"),
        // Colombia, 2021: 03 in front of mobile lines.
        .init("5733?????????", keep: 2, drop: 1), .init("57033?????????", keep: 2, drop: 2),
        // Ecuador, 2012.
        .init("593[89]???????", keep: 3, insert: "9"),
        // Egypt, 2011: the operator's digit.
        .init("201[069]???????", keep: 3, insert: "0"), .init("201[278]???????", keep: 3, insert: "2"),
        .init("201[14]???????", keep: 3, insert: "1"),
        // France: mobile lines overseas, which callers in France dial like their own.
        .init("3369[01]??????", keep: 0, drop: 2, insert: "590"),
        .init("3369[23]??????", keep: 0, drop: 2, insert: "262"),
        .init("33639??????", keep: 0, drop: 2, insert: "262"),
        .init("33694??????", keep: 0, drop: 2, insert: "594"),
        .init("3369[67]??????", keep: 0, drop: 2, insert: "596"),
        // French Polynesia, 2014.
        .init("689[237]?????", keep: 3, insert: "87"),
        // Gabon, 2019: with and without the zero of that time.
        .init("241[256]??????", keep: 3, insert: "6"), .init("241[47]??????", keep: 3, insert: "7"),
        .init("2410[256]??????", keep: 3, drop: 1, insert: "6"),
        .init("2410[47]??????", keep: 3, drop: 1, insert: "7"),
        .init("24101??????", keep: 3, drop: 1, insert: "1"), .init("2411??????", keep: 3, insert: "1"),
        // The Gambia, September 2026.
        .init("220[27]??????", keep: 3, insert: "87"), .init("2204[01]?????", keep: 3, insert: "87"),
        .init("2203??????", keep: 3, insert: "83"), .init("2205[0-389]?????", keep: 3, insert: "83"),
        .init("2206??????", keep: 3, insert: "86"),
        // Ivory Coast, 2021: the operator's two digits, for mobile and fixed lines.
        .init("225[04-9][0-3]??????", keep: 3, insert: "01"),
        .init("225[04-9][4-6]??????", keep: 3, insert: "05"),
        .init("225[04-9][7-9]??????", keep: 3, insert: "07"), .init("2252?8?????", keep: 3, insert: "21"),
        .init("225[23]?0?????", keep: 3, insert: "25"), .init("225[23]???????", keep: 3, insert: "27"),
        // Kosovo, 2018: a range that Slovenia lent.
        .init("38649??????", keep: 0, drop: 3, insert: "383"),
        // Mauritius, 2013: mobile lines.
        .init("230[79]??????", keep: 3, insert: "5"), .init("23025?????", keep: 3, insert: "5"),
        .init("2304[79]?????", keep: 3, insert: "5"), .init("23042[1-3]????", keep: 3, insert: "5"),
        // Mexico, 2019: prefixes of mobile lines. Metadata of 2022 still reads them.
        .init("521??????????", keep: 2, drop: 1), .init("520[12]??????????", keep: 2, drop: 2),
        .init("5204[45]??????????", keep: 2, drop: 3),
        // Qatar, 2010.
        .init("9743??????", keep: 3, insert: "3"), .init("9744??????", keep: 3, insert: "4"),
        .init("9745??????", keep: 3, insert: "5"), .init("9746??????", keep: 3, insert: "6"),
        .init("9747??????", keep: 3, insert: "7"),
        // Saint Martin's south, 2011: it went from +599 to +1.
        .init("5995??????", keep: 0, drop: 3, insert: "1721"),
        // Vietnam, 2018: mobile lines of eleven digits with their zero.
        .init("84120???????", keep: 2, drop: 3, insert: "70"),
        .init("84121???????", keep: 2, drop: 3, insert: "79"),
        .init("84122???????", keep: 2, drop: 3, insert: "77"),
        .init("8412[68]???????", keep: 2, drop: 2, insert: "7"),
        .init("8412[345]???????", keep: 2, drop: 2, insert: "8"),
        .init("84127???????", keep: 2, drop: 3, insert: "81"),
        .init("84129???????", keep: 2, drop: 3, insert: "82"),
        .init("8416[2-9]???????", keep: 2, drop: 2, insert: "3"),
        .init("8418[68]???????", keep: 2, drop: 2, insert: "5"),
        .init("84199???????", keep: 2, drop: 2, insert: "5"),
    ]
}
