import DeviceIntake
import FocusRules

/// The lines of Tests/Products/Focus/Oracle/histories.py: whole numbers whose order `History.write` explains there.
struct OracleLines {
    private let numbers: [Int]
    private var position = 0

    init(_ text: String) {
        var numbers: [Int] = []
        var (number, isNegative, isInside) = (0, false, false)
        var text = text + "\n"
        text.withUTF8 { bytes in
            for byte in bytes {
                if byte == UInt8(ascii: "-") {
                    isNegative = true
                } else if byte > UInt8(ascii: " ") {
                    number = number * 10 + Int(byte - UInt8(ascii: "0"))
                    isInside = true
                } else if isInside {
                    numbers.append(isNegative ? -number : number)
                    (number, isNegative, isInside) = (0, false, false)
                }
            }
        }
        self.numbers = numbers
    }

    mutating func next(_ count: Int) -> ArraySlice<Int> {
        defer { position += count }
        return numbers[position..<position + count]
    }

    /// Replays the next history; nil at the end.
    mutating func nextHistory() throws -> OracleHistory? {
        guard position < numbers.count, next(1).first == 1 else { return nil }
        var history = OracleHistory(Array(next(8)))
        while let kind = next(1).first, kind != 15 {
            switch kind {
            case 2: history.addDevice(Array(next(2)))
            case 3...5: try history.change(kind, Array(next(2)))
            case 6, 7: history.setLimit(kind, Array(next(2)))
            case 8: history.frozen.formUnion(next(1))
            case 9: try sync(&history)
            case 11: history.wantedStreaks.append(Array(next(4)))
            case 12, 13: history.wantedFigures.append([kind] + next(5))
            default: history.wantedUser = Array(next(8))
            }
        }
        try history.compare()
        return history
    }

    private mutating func sync(_ history: inout OracleHistory) throws {
        let sync = Array(next(6))
        let events = (0..<sync[5]).map { _ in Array(next(13)[(position - 12)...]) }
        try history.sync(sync, events)
    }
}
