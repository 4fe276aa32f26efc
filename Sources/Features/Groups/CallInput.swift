import Auth
import HTTPKit

extension PhoneNumberParser {
    /// Reads the numbers of a request.
    ///
    /// - Throws: 400 that points at the first text that is not a phone number.
    func numbers(_ texts: [String], pointer: String) throws(Problem) -> [PhoneNumber] {
        var numbers: [PhoneNumber] = []
        for (index, text) in texts.enumerated() {
            guard let number = parse(text) else {
                throw .invalidRequest(
                    pointer: "\(pointer)/\(index)",
                    detail: "must be a phone number with its + and country code, such as +14155550123")
            }
            numbers.append(number)
        }
        return numbers
    }
}

extension AskedNumbers {
    /// Reads the numbers of a request. A text that is not a phone number does not keep the others from being looked up.
    init(_ texts: [String], by parser: PhoneNumberParser) {
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
