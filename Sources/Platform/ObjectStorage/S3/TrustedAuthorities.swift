import NIOSSL

/// The authorities whose certificates are trusted, and the reason why one was not.
enum TrustedAuthorities {
    /// The authorities of a PEM file beside the system's.
    static func clientConfiguration(file: String) throws(ObjectStoreError) -> TLSConfiguration {
        guard let certificates = try? NIOSSLCertificate.fromPEMFile(file), !certificates.isEmpty else {
            throw .rejected("\(file) holds no certificates", culprit: .authorities)
        }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.additionalTrustRoots = [.certificates(certificates)]
        return configuration
    }

    /// Why a connection ended in a TLS handshake that no repetition helps, `nil` for any other failure. Certificates
    /// are told apart by text: BoringSSL's reasons have no type.
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
