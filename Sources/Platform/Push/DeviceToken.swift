/// The platform whose push service reaches a device.
package enum PushPlatform: String, Sendable, Hashable, CaseIterable {
    /// APNs.
    case ios
    /// Firebase Cloud Messaging.
    case android
    /// The push services of browsers.
    case web

    /// The lanes of the outbox that lead to its devices. Each push service of browsers has one of its own.
    package var lanes: [String] { self == .web ? WebPushService.allCases.map(\.lane) : [rawValue] }
}

/// A device's address at its push service: issued by the platform and opaque. It must not be logged.
package struct DeviceToken: Sendable, Hashable {
    /// Apple guarantees no length. Today's tokens have 32 bytes, and Apple has announced longer ones.
    static let maxAPNSBytes = 200
    static let minAPNSBytes = 16
    static let maxFCMLength = 4_096

    package let platform: PushPlatform
    /// The token in the one spelling that is stored: APNs tokens in lower case, a browser's subscription as one text.
    package let text: String
    /// Nil: the platform is not `web`.
    let subscription: WebPushSubscription?

    /// Nil when the text cannot be a token of this platform.
    package init?(_ text: String, platform: PushPlatform) {
        var subscription: WebPushSubscription?
        switch platform {
        case .ios:
            let bytes = text.utf8
            guard bytes.count.isMultiple(of: 2),
                (Self.minAPNSBytes...Self.maxAPNSBytes).contains(bytes.count / 2),
                bytes.allSatisfy(Self.isHexadecimal)
            else { return nil }
            self.text = text.lowercased()
        case .android:
            guard (1...Self.maxFCMLength).contains(text.utf8.count), text.utf8.allSatisfy(Self.isOfFCM) else {
                return nil
            }
            self.text = text
        case .web:
            guard let found = WebPushSubscription(text: text) else { return nil }
            self.text = found.text
            subscription = found
        }
        self.platform = platform
        self.subscription = subscription
    }

    package init(_ subscription: WebPushSubscription) {
        platform = .web
        text = subscription.text
        self.subscription = subscription
    }

    /// The lane of the outbox that leads to the device.
    package var lane: String { subscription?.endpoint.service.lane ?? platform.rawValue }

    /// The part of the token that stays the same when a browser changes its keys or its language.
    package var address: String { subscription?.endpoint.url ?? text }

    /// The form of this platform's tokens, as the end of a sentence.
    package static func rule(for platform: PushPlatform) -> String {
        switch platform {
        case .ios: "must be the device token as hexadecimal digits, \(minAPNSBytes) to \(maxAPNSBytes) bytes"
        case .android:
            "must be an FCM registration token: at most \(maxFCMLength) of A-Z, a-z, 0-9, :, _, -, ., ~"
        case .web:
            "must be a browser's subscription: endpoint, key, secret and language with spaces between them"
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private static func isOfFCM(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

extension DeviceToken: CustomStringConvertible, CustomReflectable {
    package var description: String { "a device token (\(platform.rawValue))" }

    package var customMirror: Mirror { Mirror(self, children: ["platform": platform]) }
}
