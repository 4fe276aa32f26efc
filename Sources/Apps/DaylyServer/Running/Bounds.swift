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

    /// The routes that overload treats specially. An upload waits for its sender, for a photo worker and for the object
    /// store, however small it is: it never takes the place of a call that only asks the database.
    static let routes = RouteTable([
        RouteTable(.get, "/healthz", .exempt), RouteTable(.get, "/readyz", .exempt),
        RouteTable(.post, "/v1/groups/:id/photos", .bulk),
    ])

    static func serverOptions(_ configuration: ServerConfiguration) -> HTTPServerOptions {
        var options = HTTPServerOptions()
        options.maxDrainBytes = configuration.limits.uploadBytes + drainAllowance
        return options
    }

    /// - Parameter uploads: say whether the service has the memory and the photo workers for another upload.
    static func admission(
        _ configuration: ServerConfiguration, uploads: PhotoRoutes, logger: Logger
    ) -> Admission {
        var limits = Admission.Limits()
        limits.short = configuration.http.maxRequests
        limits.bulk = configuration.http.maxUploads
        return Admission(limits: limits, logger: logger, routes: routes) { uploads.hasRoom(for: $0) }
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
}
