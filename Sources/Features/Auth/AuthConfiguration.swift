import KeyDerivation

/// What about signing in can be set from outside.
package struct AuthConfiguration: Sendable {
    /// Every key is derived from them.
    package var secret: ServiceSecrets
    /// Named in the last line of the code's message, for autofill: the host of the public URL.
    package var host: String
    /// The Android app's 11 characters for SMS Retriever.
    package var androidHash: String?
    /// Calling codes and ISO 3166 regions that are served; none = all.
    package var countries: [String] = []

    package var codeLifetime: Duration = .seconds(300)
    package var codeAttempts = 5
    package var resendAfter: Duration = .seconds(30)
    package var refreshTokenLifetime: Duration = .seconds(60 * 86_400)

    package var limits = CodeQuotas()
    package var reviewNumbers: [ReviewNumber] = []

    package init(secret: some SecretSource, host: String, androidHash: String? = nil) {
        self.secret = secret.secrets
        self.host = host
        self.androidHash = androidHash
    }
}

extension Duration {
    var wholeSeconds: Int { Int(components.seconds) }
}
