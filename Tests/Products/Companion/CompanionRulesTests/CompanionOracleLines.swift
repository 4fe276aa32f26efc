/// The lines of Tests/Products/Companion/Oracle/companion_histories.py, which explains their numbers.
struct CompanionOracleLines {
    private var lines: [[Int]] = []
    private var position = 0

    init(_ text: String) {
        var text = text + "\n"
        var line: [Int] = []
        var (number, isNegative) = (0, false)
        text.withUTF8 { bytes in
            for byte in bytes {
                if byte == UInt8(ascii: "-") {
                    isNegative = true
                } else if byte > UInt8(ascii: " ") {
                    number = number * 10 + Int(byte - UInt8(ascii: "0"))
                } else {
                    line.append(isNegative ? -number : number)
                    (number, isNegative) = (0, false)
                    if byte == UInt8(ascii: "\n") {
                        lines.append(line)
                        line = []
                    }
                }
            }
        }
    }

    /// Replays the next history; nil at the end.
    mutating func nextHistory() -> CompanionHistory? {
        guard position < lines.count else { return nil }
        var history = CompanionHistory(number: lines[position][1])
        position += 1
        while position < lines.count, lines[position][0] != 1 {
            history.take(kind: lines[position][0], Array(lines[position].dropFirst()))
            position += 1
        }
        return history
    }
}

/// A history of an account, a pet and some questions, replayed with the Swift rules.
struct CompanionHistory {
    let number: Int
    private(set) var account: OracleAccount
    private var pet = OraclePet()
    private var answers: [String] = []

    init(number: Int) {
        self.number = number
        account = OracleAccount(user: "user-\(number)")
    }

    var differences: [String] { account.differences + pet.differences + answers }

    mutating func take(kind: Int, _ line: [Int]) {
        switch kind {
        // The rules do not compute zones.
        case 3: break
        case 2...22: account.take(kind: kind, line)
        case 30...35: pet.take(kind: kind, line)
        case 40: answers += OracleAnswers.recovery(line)
        default: answers += OracleAnswers.refund(line)
        }
    }
}
