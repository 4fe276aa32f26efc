import DaylyAPI
import Foundation

/// A client of one Dayly service: the front door of this library.
///
/// An app makes one and keeps it. It is cheap to copy and may be used from any task.
public struct Dayly: Sendable {
    public let auth: AuthRepository
    public let profile: ProfileRepository
    public let groups: GroupRepository
    public let invites: InviteRepository
    public let photos: PhotoRepository
    public let devices: DeviceRepository
    public let analytics: AnalyticsRepository
    public let service: ServiceStatus

    package let session: ClientSession
    package let calls: ServiceCalls

    /// What a client needs to know.
    public struct Configuration: Sendable {
        /// The address of the service, such as `https://dayly.example`.
        public var url: URL
        /// Where the device keeps its session.
        public var tokens: any TokenStore
        public var transport: any HTTPTransport
        public var retries: RetryPolicy
        public var clock: any ClientClock
        /// The name of this device in the user's list of devices.
        public var deviceName: String?

        public init(
            url: URL, tokens: any TokenStore, transport: any HTTPTransport = URLSessionTransport(),
            retries: RetryPolicy = RetryPolicy(), clock: any ClientClock = SystemClock(),
            deviceName: String? = nil
        ) {
            self.url = url
            self.tokens = tokens
            self.transport = transport
            self.retries = retries
            self.clock = clock
            self.deviceName = deviceName
        }
    }

    public init(_ configuration: Configuration) {
        let requests = RequestBuilder(baseURL: configuration.url)
        let open = RetryingTransport(
            configuration.transport, policy: configuration.retries, clock: configuration.clock)
        session = ClientSession(store: configuration.tokens, transport: open, requests: requests)
        calls = ServiceCalls(
            requests: requests, session: session, open: open,
            authorized: AuthorizedClient(session: session, transport: open))
        auth = AuthRepository(calls: calls, deviceName: configuration.deviceName)
        profile = ProfileRepository(calls: calls)
        groups = GroupRepository(calls: calls)
        invites = InviteRepository(calls: calls)
        photos = PhotoRepository(calls: calls)
        devices = DeviceRepository(calls: calls)
        analytics = AnalyticsRepository(calls: calls)
        service = ServiceStatus(calls: calls)
    }
}
