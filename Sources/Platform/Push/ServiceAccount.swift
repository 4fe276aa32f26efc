import Foundation

/// The needed part of a Google service account's JSON file.
package struct ServiceAccount: Sendable, Decodable {
    package let projectID: String
    package let clientEmail: String
    package let privateKeyID: String?
    let privateKey: String
    /// The URL that issues tokens.
    package let tokenURI: String

    enum CodingKeys: String, CodingKey {
        case projectID = "project_id"
        case clientEmail = "client_email"
        case privateKeyID = "private_key_id"
        case privateKey = "private_key"
        case tokenURI = "token_uri"
    }

    /// Nil when the file is not a service account's.
    package init?(json: Data) {
        guard let account = try? JSONDecoder().decode(ServiceAccount.self, from: json),
            !account.projectID.isEmpty, !account.clientEmail.isEmpty,
            account.projectID.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
        else { return nil }
        self = account
    }
}
