import DailyPhotos
import HTTPKit
import Logging

/// How much of everything there may be at a time, as the configuration says. What is beyond is refused at once, with
/// 503 and `Retry-After`.
enum Bounds {
    /// Connections that the kernel keeps while none is accepted.
    static let backlog = 1_024
    /// What a multipart body may hold beside the picture, and what a refused one may be longer than allowed.
    private static let drainAllowance = 64 << 10

    static func serverOptions(_ configuration: ServerConfiguration) -> HTTPServerOptions {
        var options = HTTPServerOptions()
        options.maxDrainBytes = configuration.limits.uploadBytes + drainAllowance
        return options
    }

    /// - Parameter uploads: who knows whether another upload could be taken.
    static func admission(
        _ configuration: ServerConfiguration, uploads: PhotoRoutes, logger: Logger
    ) -> Admission {
        var limits = Admission.Limits()
        limits.short = configuration.http.maxRequests
        limits.bulk = configuration.http.maxUploads
        return Admission(
            limits: limits, logger: logger,
            hasRoom: { lane(method: $0, target: $1) != .bulk || uploads.hasRoom(for: $2) }, lane: lane)
    }

    static func connections(_ http: ServerConfiguration.HTTP, logger: Logger) -> ConnectionLimit {
        let room = FileDescriptors.roomForConnections
        if room < http.maxConnections {
            logger.warning(
                "too few file descriptors for http.max_connections; raise the hard limit (LimitNOFILE)",
                metadata: ["connections": "\(room)"])
        }
        return ConnectionLimit(maxConnections: min(http.maxConnections, room))
    }

    /// An upload waits for its sender, for a decoder and for the object store, whatever its size: it never takes the
    /// place of a call that only asks the database.
    static func lane(method: String, target: String) -> Admission.Lane {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        switch method {
        case "GET", "HEAD":
            return path.elementsEqual("/healthz".utf8) || path.elementsEqual("/readyz".utf8)
                ? .exempt : .short
        case "POST":
            return path.starts(with: "/v1/groups/".utf8) && path.suffix(7).elementsEqual("/photos".utf8)
                ? .bulk : .short
        default:
            return .short
        }
    }
}
