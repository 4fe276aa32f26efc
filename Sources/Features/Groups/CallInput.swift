import Auth
import HTTPKit

extension PhoneNumberParser {
    /// Reads the numbers of a request.
    ///
    /// - Parameter limit: how many different numbers the call takes.
    /// - Throws: 400 that points at the first text that is not a phone number, or at a list that is far too long.
    func numbers(_ texts: [String], pointer: String, limit: Int) throws(Problem) -> [PhoneNumber] {
        try requireFew(texts, pointer: pointer, limit: limit)
        var numbers: [PhoneNumber] = []
        for (index, text) in texts.enumerated() {
            guard let number = parse(text) else {
                throw .invalidRequest(pointer: "\(pointer)/\(index)", detail: PhoneNumberParser.rule)
            }
            numbers.append(number)
        }
        return numbers
    }
}

/// Reading a number costs CPU time, and a body has room for thousands. Somebody may give a number twice, so a list may be longer
/// than the limit, but not by far.
private func requireFew(_ texts: [String], pointer: String, limit: Int) throws(Problem) {
    guard texts.count <= 4 * limit else { throw .tooManyNumbers(pointer: pointer, limit: limit) }
}

extension Problem {
    static func tooManyNumbers(pointer: String, limit: Int) -> Problem {
        .invalidRequest(pointer: pointer, detail: "must have at most \(limit) different numbers")
    }
}

extension AskedNumbers {
    /// Reads the numbers of a request. A text that is not a phone number does not keep the others from being looked up.
    ///
    /// - Parameter limit: how many different numbers the call takes.
    /// - Throws: 400 for a list that is far too long.
    init(_ texts: [String], by parser: PhoneNumberParser, limit: Int) throws(Problem) {
        try requireFew(texts, pointer: "/phone_numbers", limit: limit)
        var (numbers, invalid): ([AskedNumber], [String]) = ([], [])
        var seen: Set<String> = []
        for text in texts where seen.insert(text).inserted {
            if let number = parser.parse(text) {
                numbers.append(AskedNumber(text: text, number: number))
            } else {
                invalid.append(text)
            }
        }
        self.init(numbers: numbers, invalid: invalid)
    }
}

extension DisplayName {
    /// Reads a name of a request.
    ///
    /// - Throws: 400 that points at the name.
    init(_ text: String, pointer: String) throws(Problem) {
        do { self = try DisplayName(checking: text) } catch {
            throw .invalidRequest(pointer: pointer, detail: error.rule)
        }
    }
}
