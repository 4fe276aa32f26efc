import CPhoneNumbers

/// The countries whose numbering plans libphonenumber's metadata has.
package enum PhoneCountries {
    /// - Parameter region: ISO 3166 alpha-2 in upper case.
    package static func hasRegion(_ region: String) -> Bool { cphonenumbers_knows_region(region) }

    package static func hasCallingCode(_ code: Int) -> Bool {
        Int32(exactly: code).map(cphonenumbers_knows_calling_code) ?? false
    }
}
