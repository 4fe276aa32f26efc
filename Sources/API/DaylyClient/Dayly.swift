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
    public let pushAddresses: PushAddressRepository
    public let analytics: AnalyticsRepository
    public let service: ServiceStatus
    /// Photos on their way to groups.
    public let uploads: UploadQueue
    /// Changes in the user's groups.
    public let events: DaylyEventStream
    /// The pictures on this device.
    public let pictures: PhotoCache

    package let configuration: Configuration
    package let session: ClientSession
    package let calls: ServiceCalls

    /// The service's address, and the device's parts of a client.
    public struct Configuration: Sendable {
        /// The address of the service, such as `https://dayly.example`.
        public var url: URL
        /// Where the device keeps its session.
        public var tokens: any TokenStore
        /// Where queued photos and pictures lie. An app and its extensions share one folder.
        public var folder: URL
        public var transport: any HTTPTransport
        public var retries: RetryPolicy
        public var clock: any ClientClock
        /// The name of this device in the user's list of sessions.
        public var deviceName: String?
        /// Sends photos while the app does not run.
        package var background: (any BackgroundTransfers)?

        #if os(iOS) || os(macOS)
        /// Sends photos while the app does not run. Nil: they are sent while the app runs.
        public var backgroundUploads: BackgroundUploads? {
            get { background as? BackgroundUploads }
            set { background = newValue }
        }
        #endif

        public init(
            url: URL, tokens: any TokenStore, folder: URL = Configuration.defaultFolder,
            transport: any HTTPTransport = URLSessionTransport(), retries: RetryPolicy = RetryPolicy(),
            clock: any ClientClock = SystemClock(), deviceName: String? = nil
        ) {
            self.url = url
            self.tokens = tokens
            self.folder = folder
            self.transport = transport
            self.retries = retries
            self.clock = clock
            self.deviceName = deviceName
        }

        /// The folder `dayly` in the app's support files.
        public static var defaultFolder: URL {
            let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
            return (support.first ?? FileManager.default.temporaryDirectory).appendingPathComponent("dayly")
        }
    }

    public init(_ configuration: Configuration) {
        self.configuration = configuration
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
        pushAddresses = PushAddressRepository(calls: calls)
        analytics = AnalyticsRepository(calls: calls)
        service = ServiceStatus(calls: calls)
        let session = session
        let queues = configuration.folder.appendingPathComponent("uploads")
        uploads = UploadQueue(
            folder: requests.folder(in: queues), former: queues, requests: requests,
            transport: configuration.transport, authorized: calls.authorized, clock: configuration.clock,
            background: configuration.background
        ) { () throws(DaylyError) in try await session.signedInUser()?.id }
        events = DaylyEventStream(
            requests: requests, authorized: calls.authorized, clock: configuration.clock)
        pictures = PhotoCache(
            folder: configuration.folder.appendingPathComponent("photos"), requests: requests,
            transport: open, authorized: calls.authorized, clock: configuration.clock)
        followSession()
    }

    private func followSession() {
        session.onSignIn { [uploads] in await uploads.signedIn() }
        session.onSignOut { [uploads, events, pictures] user in
            await events.end()
            await uploads.clear(of: user)
            await pictures.clear()
        }
    }
}
