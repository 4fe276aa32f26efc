import Foundation

/// The addresses of the machine itself: what goes there is on no network.
enum Loopback {
    static func contains(_ url: URL?) -> Bool {
        guard let host = url?.host()?.lowercased().trimmingCharacters(in: ["[", "]"]) else { return false }
        if host == "localhost" { return true }
        var four = in_addr()
        if inet_pton(AF_INET, host, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        var six = in6_addr()
        return inet_pton(AF_INET6, host, &six) == 1
            && withUnsafeBytes(of: six) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }
}
