import DailyPhotos
import HTTPGuard
import HTTPKit
import Logging

/// The bounds of requests and connections, from the configuration. Requests beyond a bound are refused at once, with 503
/// and `Retry-After`.
enum Bounds {
    /// Connections that the kernel keeps while none is accepted.
    static let backlog = 1_024
    /// Bytes that a multipart body may hold beside the picture, and that a refused body may be longer than the limit.
    private static let drainAllowance = 64 << 10

    /// The routes that overload treats specially: the pages that tell machines how the service is, and the calls with
    /// traits.
    ///
    /// - Parameter calls: the features' routes below `/v1`.
    static func routes(_ calls: [Route]) -> RouteTable {
        RouteTable([
            RouteTable(.get, "/healthz", .exempt), RouteTable(.get, "/readyz", .exempt),
            RouteTable(calls, below: "/v1"),
        ])
    }

    static func serverOptions(_ configuration: ServerConfiguration) -> HTTPServerOptions {
        var options = HTTPServerOptions()
        options.maxDrainBytes = configuration.photos.uploadBytes + drainAllowance
        return options
    }

    /// - Parameters:
    ///   - calls: the features' routes below `/v1`. Their traits decide what overload does with a request.
    ///   - uploads: say whether the service has the memory and the photo workers for another upload.
    static func admission(
        _ configuration: ServerConfiguration, calls: [Route], uploads: DailyPhotosFeature, logger: Logger
    ) -> Admission {
        var limits = Admission.Limits()
        limits.short = configuration.http.maxRequests
        limits.bulk = configuration.http.maxUploads
        return Admission(limits: limits, logger: logger, routes: routes(calls)) { uploads.hasRoom(for: $0) }
    }

    static func connections(_ http: HTTPSettings, logger: Logger) -> ConnectionLimit {
        let room = FileDescriptors.roomForConnections
        if room < http.maxConnections {
            logger.warning(
                "too few file descriptors for http.max_connections; raise the hard limit (LimitNOFILE)",
                metadata: ["connections": "\(room)"])
        }
        return ConnectionLimit(maxConnections: min(http.maxConnections, room))
    }
}
