import Auth
import HTTPKit

extension PhoneNumberParser {
    /// The numbers of a request.
    /// - Throws: 400 that points at the first that is none.
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

extension AskedNumber {
    /// The numbers of a request, with their texts.
    /// - Throws: 400 that points at the first that is none.
    static func list(_ texts: [String], by parser: PhoneNumberParser) throws(Problem) -> [AskedNumber] {
        let numbers = try parser.numbers(texts, pointer: "/phone_numbers")
        return zip(texts, numbers).map(AskedNumber.init)
    }
}

extension DisplayName {
    /// A name of a request.
    /// - Throws: 400 that points at it.
    init(_ text: String, pointer: String) throws(Problem) {
        do { self = try DisplayName(checking: text) } catch {
            throw .invalidRequest(pointer: pointer, detail: error.rule)
        }
    }
}
