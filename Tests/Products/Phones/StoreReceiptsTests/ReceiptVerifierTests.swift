import Crypto
import Foundation
import KeyDerivation
@testable import StoreReceipts
import StoreTesting
import Testing

@Suite("Signed transactions and notifications of the App Store")
struct ReceiptVerifierTests {
    private static let secret = Array("a secret that is only good for tests, 32+".utf8)

    /// - Returns: the reason for which the verifier refuses the text; nil if it accepts it.
    private func refusal(
        of jws: String, by store: TestAppStore, allowsSandbox: Bool = true
    ) async throws -> InvalidReceipt.Reason? {
        let verifier = try store.verifier(allowsSandbox: allowsSandbox, secret: Self.secret)
        do throws(InvalidReceipt) {
            _ = try await verifier.transaction(jws)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("a transaction that the store has signed is read in full")
    func transaction() async throws {
        let (store, token) = (try TestAppStore(), UUID())
        let jws = try store.transaction([
            "transactionId": "42", "originalTransactionId": "41", "productId": "gems_100", "quantity": 3,
            "purchaseDate": 1_772_445_600_000,
            "expiresDate": 1_775_037_600_500, "revocationDate": 1_772_532_000_000,
            "appAccountToken": token.uuidString.lowercased(),
        ])
        let transaction = try await store.verifier(secret: Self.secret).transaction(jws)
        #expect(
            transaction
                == StoreTransaction(
                    id: "42", originalID: "41", productID: "gems_100", quantity: 3,
                    purchasedAt: Date(timeIntervalSince1970: 1_772_445_600),
                    expiresAt: Date(timeIntervalSince1970: 1_775_037_600.5),
                    revokedAt: Date(timeIntervalSince1970: 1_772_532_000), accountToken: token,
                    isSandbox: false))
        let bare = try await store.verifier(secret: Self.secret)
            .transaction(store.transaction(["quantity": NSNull()]))
        #expect(bare.quantity == 1 && bare.expiresAt == nil && bare.accountToken == nil)
    }

    /// Guard: a receipt is signed with ES256 and three certificates, sent in order, with Apple's marks, valid
    /// when it was signed (`ReceiptVerifier`, `StoreChainPolicy`, `SignedPayload.signedDate`)
    /// Guard: a receipt's times lie between the years 1970 and 9999 (`Milliseconds`)
    @Test("a text that is not a JWS with three certificates and ES256 is refused")
    func malformed() async throws {
        let store = try TestAppStore()
        let (leaf, middle, root) = (store.leaf, store.intermediate, store.root)
        let members: [String: any Sendable] = ["signedDate": TestAppStore.milliseconds(Date())]
        var texts = ["", "nonsense", "a.b.c", "e30.e30.e30", try store.sign(members)]
        let good: [String: any Sendable] = [
            "transactionId": "1", "bundleId": TestAppStore.bundleID, "environment": "Production",
            "productId": "p", "signedDate": TestAppStore.milliseconds(Date()),
        ]
        #expect(try await refusal(of: store.sign(good), by: store) == nil)
        texts.append(try store.sign(good, algorithm: "ES384"))
        texts.append(try store.sign(good, algorithm: "none"))
        texts.append(try store.sign(good, chain: []))
        texts.append(try store.sign(good, chain: [leaf.certificate, middle.certificate]))
        let four = [leaf, middle, middle, root].map(\.certificate)
        texts.append(try store.sign(good, chain: four))
        texts.append(try store.sign(good.merging(["appAccountToken": "me"]) { $1 }))
        for date in [253_402_300_799_600, 253_402_300_800_000, -1, -62_198_755_200_000, 1e300, -1e300] {
            texts.append(try store.sign(good.merging(["signedDate": date]) { $1 }))
        }
        for text in texts { #expect(try await refusal(of: text, by: store) == .malformed, "\(text)") }
    }

    @Test("a signature by another key, or of another text, is refused")
    func signature() async throws {
        let store = try TestAppStore()
        let good = try store.transaction()
        var parts = good.split(separator: ".").map(String.init)
        let other = try store.transaction(["quantity": 2]).split(separator: ".").map(String.init)
        parts[1] = other[1]
        #expect(try await refusal(of: parts.joined(separator: "."), by: store) == .untrusted)
        let members: [String: any Sendable] = [
            "transactionId": "1", "bundleId": TestAppStore.bundleID, "environment": "Production",
            "productId": "p", "signedDate": TestAppStore.milliseconds(Date()),
        ]
        let forged = try store.sign(members, key: P256.Signing.PrivateKey())
        #expect(try await refusal(of: forged, by: store) == .untrusted)
        #expect(try await refusal(of: store.sign(members), by: store) == nil)
    }

    @Test("a chain to a root that is not trusted is refused")
    func root() async throws {
        let (store, stranger) = (try TestAppStore(), try TestAppStore())
        #expect(try await refusal(of: stranger.transaction(), by: store) == .untrusted)
        let apple = try ReceiptVerifier(
            bundleID: TestAppStore.bundleID, allowsSandbox: true, tokens: AppAccountToken(secret: Self.secret)
        )
        await #expect(throws: InvalidReceipt(.untrusted)) { try await apple.transaction(store.transaction()) }
    }

    /// Guard: a receipt is signed with ES256 and three certificates, sent in order, with Apple's marks, valid
    /// when it was signed (`ReceiptVerifier`, `StoreChainPolicy`, `SignedPayload.signedDate`)
    @Test("the chain must be sent as leaf, intermediate and root")
    func order() async throws {
        let (store, stranger) = (try TestAppStore(), try TestAppStore())
        let members: [String: any Sendable] = [
            "transactionId": "1", "bundleId": TestAppStore.bundleID, "environment": "Production",
            "productId": "p", "signedDate": TestAppStore.milliseconds(Date()),
        ]
        for chain in [
            [store.leaf, store.root, store.intermediate], [store.leaf, store.intermediate, stranger.root],
            [store.leaf, store.intermediate, store.intermediate],
        ] {
            let jws = try store.sign(members, chain: chain.map(\.certificate))
            #expect(try await refusal(of: jws, by: store) == .untrusted)
        }
    }

    /// Guard: a receipt is signed with ES256 and three certificates, sent in order, with Apple's marks, valid
    /// when it was signed (`ReceiptVerifier`, `StoreChainPolicy`, `SignedPayload.signedDate`)
    @Test(
        "a leaf and an intermediate without Apple's marks, or an intermediate that is not an authority, are refused"
    )
    func marks() async throws {
        for change: (inout TestAppStore.Fault) -> Void in [
            { $0.leafHasMark = false }, { $0.intermediateHasMark = false },
            { $0.intermediateIsAuthority = false },
        ] {
            let store = try TestAppStore(change)
            #expect(try await refusal(of: store.transaction(), by: store) == .untrusted)
        }
    }

    /// Guard: a receipt is signed with ES256 and three certificates, sent in order, with Apple's marks, valid
    /// when it was signed (`ReceiptVerifier`, `StoreChainPolicy`, `SignedPayload.signedDate`)
    @Test("the certificates must be valid when the store signed, and may have expired since")
    func validity() async throws {
        let (begin, end) = (
            Date(timeIntervalSince1970: 1_700_000_000), Date(timeIntervalSince1970: 1_710_000_000)
        )
        let store = try TestAppStore { $0.leafValidity = begin...end }
        let within = try store.transaction(signedAt: begin.addingTimeInterval(60))
        #expect(try await refusal(of: within, by: store) == nil)
        for late in [begin.addingTimeInterval(-60), end.addingTimeInterval(60)] {
            #expect(try await refusal(of: store.transaction(signedAt: late), by: store) == .untrusted)
        }
    }

    /// Guard: a receipt is about our app, and not of the sandbox in production (`ReceiptVerifier.verified`,
    /// `.inForce`)
    @Test("a purchase of another app, or any without a bundle id of our own, is refused")
    func bundle() async throws {
        let store = try TestAppStore()
        let other = try store.transaction(["bundleId": "app.dayly.other"])
        #expect(try await refusal(of: other, by: store) == .bundle)
        let none = try ReceiptVerifier(
            roots: store.rootPEM, bundleID: nil, allowsSandbox: true,
            tokens: AppAccountToken(secret: Self.secret))
        await #expect(throws: InvalidReceipt(.bundle)) { try await none.transaction(store.transaction()) }
    }

    /// Guard: a receipt is about our app, and not of the sandbox in production (`ReceiptVerifier.verified`,
    /// `.inForce`)
    @Test("the sandbox counts in development only, and other environments never do")
    func environment() async throws {
        let store = try TestAppStore()
        let sandbox = try store.transaction(["environment": "Sandbox"])
        #expect(try await refusal(of: sandbox, by: store) == nil)
        #expect(try await refusal(of: sandbox, by: store, allowsSandbox: false) == .environment)
        #expect(try await refusal(of: store.transaction(), by: store, allowsSandbox: false) == nil)
        for name in ["Xcode", "LocalTesting", ""] {
            let local = try store.transaction(["environment": name])
            #expect(try await refusal(of: local, by: store) == .environment)
        }
    }

    /// Guard: the sandbox counts for reviewers, until the end of their last day, and in no total
    /// (`ReceiptVerifier.transaction(_:of:)`, `Accounts.isReviewer`, `CompanionPurchaseService.isCounted`)
    @Test("a tester's purchases of the sandbox count, and no other environment of theirs")
    func tester() async throws {
        let (store, tester) = (try TestAppStore(), UUID())
        let verifier = try store.verifier(allowsSandbox: false, secret: Self.secret) { $0 == tester }
        let sandbox = try store.transaction(["environment": "Sandbox"])
        #expect(try await verifier.transaction(sandbox, of: tester).isSandbox)
        await #expect(throws: InvalidReceipt(.environment)) {
            try await verifier.transaction(sandbox, of: UUID())
        }
        await #expect(throws: InvalidReceipt(.environment)) {
            try await verifier.transaction(store.transaction(["environment": "Xcode"]), of: tester)
        }
    }

    @Test("a notification of a refund holds its verified transaction")
    func refund() async throws {
        let store = try TestAppStore()
        let verifier = try store.verifier(secret: Self.secret)
        let about = try store.transaction(["transactionId": "7", "revocationDate": 1_772_532_000_000])
        let refund = try await verifier.notification(store.notification("REFUND", about: about))
        #expect(refund.isRefund && refund.transaction?.id == "7" && refund.transaction?.revokedAt != nil)
        let test = try await verifier.notification(store.notification("TEST", about: nil))
        #expect(!test.isRefund && test.transaction == nil)
    }

    @Test("a notification that is about another app, or holds a forged transaction, is refused")
    func forgedNotification() async throws {
        let (store, stranger) = (try TestAppStore(), try TestAppStore())
        let verifier = try store.verifier(secret: Self.secret)
        let forged = try store.notification("REFUND", about: stranger.transaction())
        await #expect(throws: InvalidReceipt(.untrusted)) { try await verifier.notification(forged) }
        let other = try store.notification("TEST", about: nil, data: ["bundleId": "app.dayly.other"])
        await #expect(throws: InvalidReceipt(.bundle)) { try await verifier.notification(other) }
        let strange = try stranger.notification("TEST", about: nil)
        await #expect(throws: InvalidReceipt(.untrusted)) { try await verifier.notification(strange) }
    }

    @Test("Apple Root CA - G3 is the root unless another one is given")
    func appleRoot() throws {
        #expect(ReceiptVerifier.isAppleRootOnly(pem: AppleRoot.pem))
        let store = try TestAppStore()
        #expect(try !ReceiptVerifier.isAppleRootOnly(pem: store.rootPEM))
        #expect(try !ReceiptVerifier.isAppleRootOnly(pem: AppleRoot.pem + "\n" + store.rootPEM))
        #expect(!ReceiptVerifier.isAppleRootOnly(pem: "nonsense"))
        #expect(throws: (any Error).self) {
            try ReceiptVerifier(
                roots: "", bundleID: nil, allowsSandbox: false, tokens: AppAccountToken(secret: Self.secret))
        }
    }
}
