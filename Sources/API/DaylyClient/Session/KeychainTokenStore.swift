#if canImport(Security)
import Foundation
import Security

/// A session in the Keychain. It is readable after the first unlock, so that background uploads find it, and it never
/// leaves the device in a backup.
///
/// The Keychain outlives the app: after a new installation the old session is found again.
public struct KeychainTokenStore: TokenStore {
    /// The status of a call to the Keychain that failed.
    public struct Failure: Error {
        public let status: OSStatus
    }

    private let service: String
    private let accessGroup: String?

    /// - Parameter accessGroup: the group that an app shares with its extensions.
    public init(service: String = "dayly", accessGroup: String? = nil) {
        self.service = service
        self.accessGroup = accessGroup
    }

    public func read() throws -> StoredSession? {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        switch SecItemCopyMatching(query as CFDictionary, &result) {
        case errSecSuccess:
            guard let data = result as? Data else { throw Failure(status: errSecDecode) }
            return try JSONDecoder().decode(StoredSession.self, from: data)
        case errSecItemNotFound: return nil
        case let status: throw Failure(status: status)
        }
    }

    public func write(_ session: StoredSession) throws {
        let data = try JSONEncoder().encode(session)
        let changes: [String: Any] = [kSecValueData as String: data]
        switch SecItemUpdate(item as CFDictionary, changes as CFDictionary) {
        case errSecSuccess: return
        case errSecItemNotFound: try add(data)
        case let status: throw Failure(status: status)
        }
    }

    public func remove() throws {
        let status = SecItemDelete(item as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw Failure(status: status)
        }
    }

    private func add(_ data: Data) throws {
        var attributes = item
        attributes[kSecValueData as String] = data
        attributes[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        let status = SecItemAdd(attributes as CFDictionary, nil)
        guard status == errSecSuccess else { throw Failure(status: status) }
    }

    private var item: [String: Any] {
        var item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: "session",
            kSecUseDataProtectionKeychain as String: true,
        ]
        if let accessGroup { item[kSecAttrAccessGroup as String] = accessGroup }
        return item
    }
}
#endif
