import NIOSSL

/// The certificate authorities that the client trusts, and the reasons why it refused a certificate.
enum TrustedAuthorities {
    /// Trusts the authorities in a PEM file in addition to the system's.
    static func clientConfiguration(file: String) throws(ObjectStoreError) -> TLSConfiguration {
        guard let certificates = try? NIOSSLCertificate.fromPEMFile(file), !certificates.isEmpty else {
            throw .rejected("\(file) holds no certificates", culprit: .authorities)
        }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.additionalTrustRoots = [.certificates(certificates)]
        return configuration
    }

    /// The reason why a TLS handshake failed, if a retry cannot help; `nil` for any other failure. The function compares
    /// texts, because BoringSSL's reasons have no type.
    static func refusal(_ error: any Error, host: String) -> ObjectStoreError? {
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
            return .rejected(
                "the certificate at \(host) was issued for another name", culprit: .certificateName)
        }
        guard error is NIOSSLError else { return nil }
        let text = String(describing: error)
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            return .rejected(
                "the certificate at \(host) is expired, or its authority is not known here",
                culprit: .certificate)
        }
        if text.contains("WRONG_VERSION_NUMBER") {
            return .rejected("\(host) does not speak TLS", culprit: .endpoint)
        }
        return nil
    }
}
