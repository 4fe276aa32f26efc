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

extension DisplayName {
    /// A name of a request.
    /// - Throws: 400 that points at it.
    init(_ text: String, pointer: String) throws(Problem) {
        guard let name = DisplayName(text) else {
            throw .invalidRequest(pointer: pointer, detail: Self.rule)
        }
        self = name
    }
}
