/// The text message that carries a code. iOS (domain-bound codes) and Android (SMS Retriever's hash) read its last line
/// for autofill.
struct CodeMessage: Sendable {
    /// An SMS of GSM-7 holds 140 bytes.
    static let maxBytes = 140

    let host: String
    let androidHash: String?

    func text(for code: OneTimeCode) -> String {
        let sentence = "Your Dayly verification code is: \(code.text)"
        let suffix = androidHash.map { " \($0)" } ?? ""
        let message = "\(sentence)\n\n@\(host) #\(code.text)\(suffix)"
        return message.utf8.count <= Self.maxBytes ? message : sentence
    }
}
