import CPhoneNumbers

/// The countries whose numbering plans are in libphonenumber's metadata.
package enum PhoneCountries {
    /// - Parameter region: ISO 3166 alpha-2 in upper case.
    package static func hasRegion(_ region: String) -> Bool { cphonenumbers_knows_region(region) }

    package static func hasCallingCode(_ code: Int) -> Bool {
        Int32(exactly: code).map(cphonenumbers_knows_calling_code) ?? false
    }

    /// A calling code without its plus (`+49` → `49`) or a region in upper case (`de` → `DE`). Nil for any other text.
    package static func country(_ text: String) -> String? {
        if text.utf8.count == 2, text.allSatisfy({ $0.isASCII && $0.isLetter }) {
            return hasRegion(text.uppercased()) ? text.uppercased() : nil
        }
        let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
        let isCode = (1...4).contains(digits.count) && digits.allSatisfy { $0.isASCII && $0.isNumber }
        guard isCode, digits.first != "0", let code = Int(digits), hasCallingCode(code) else { return nil }
        return String(digits)
    }
}
