import Settings

package struct SecretSettings: SettingGroup {
    /// Nil in development: the one under `data_dir`.
    @Setting(
        "auth.secret", .secret(minBytes: 32),
        "At least 32 bytes; the key for codes, tokens, file URLs and hashes of numbers. Required in "
            + "production.",
        remedy: "Set it to at least 32 random bytes, for example the output of: openssl rand -base64 48",
        secret: true)
    package var secret: String?

    @Setting(
        "auth.previous_secrets", .secrets(minBytes: 32),
        "Earlier values of `auth.secret`, which still verify. A comma within one is written `\\,`.",
        secret: true)
    package var previous: [String]

    /// Empty in development: the one under `data_dir`.
    @Setting(
        "auth.signing_keys", .paths,
        "PEM files (EC P-256); the first signs, all verify. Required in production.",
        remedy:
            "Make one and name its file: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 "
            + "-out signing.pem. Then: chown root:dayly signing.pem; chmod 640 signing.pem"
    )
    package var signingKeyPaths: [String]

    package init() {}
}
