import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// The reason why a connection could not be made or broke, in an operator's words.
package enum ConnectionFault {
    package static func text(_ error: any Error) -> String {
        switch error {
        case let error as HTTPClientError: text(error)
        case let error as NIOConnectionError: text(error)
        case let error as IOError: text(errno: error.errnoCode)
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            "its certificate was issued for another name"
        case is NIOSSLError: tlsText(error)
        case ChannelError.connectTimeout: "no connection could be made in time"
        default: "the connection broke (\(type(of: error)))"
        }
    }

    private static func text(_ error: HTTPClientError) -> String {
        switch error {
        case .remoteConnectionClosed: "it closed the connection without an answer"
        case .connectTimeout: "no connection could be made in time"
        case .tlsHandshakeTimeout: "it did not finish the TLS handshake in time"
        default: error.shortDescription
        }
    }

    /// A host has several addresses, and each may fail for a reason of its own. The last one stands for all.
    private static func text(_ error: NIOConnectionError) -> String {
        if let failure = error.connectionErrors.last { return text(failure.error) }
        return "the name of its host is not known here"
    }

    private static func text(errno code: Int32) -> String {
        switch code {
        case ECONNREFUSED: "nothing listens at its port"
        case EHOSTUNREACH, ENETUNREACH: "no way leads to its address"
        case ECONNRESET, EPIPE: "it closed the connection without an answer"
        case ETIMEDOUT: "no connection could be made in time"
        default: "the connection failed: \(String(cString: strerror(code)))"
        }
    }

    /// BoringSSL's reasons have no type, so this compares texts.
    private static func tlsText(_ error: any Error) -> String {
        let text = String(describing: error)
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            return "its certificate is expired, or the authority that signed it is not known here"
        }
        if text.contains("WRONG_VERSION_NUMBER") { return "it does not speak TLS at this port" }
        return "the TLS handshake failed"
    }
}
