import Auth
import PhotoWorkers
import RateLimiting

/// What the service runs with: immutable, complete and checked. Made by `ServerConfiguration(values:)` alone.
package struct ServerConfiguration: Sendable {
    package enum Environment: String, Sendable {
        case production, development
    }

    package enum StorageKind: String, Sendable {
        case filesystem, s3
    }

    package enum SMSKind: String, Sendable {
        case console, http, twilio
    }

    package struct HTTP: Sendable {
        package let host: String
        package let port: Int
        /// Without a closing slash.
        package let publicURL: String
        /// 0: no admin server.
        package let adminPort: Int
        /// Whether somebody asked for that port, so that not getting it is an error.
        package let isAdminPortGiven: Bool
        package let trustedProxies: [String]
        package let maxConnections: Int
        /// Requests that are worked on at a time, uploads not among them.
        package let maxRequests: Int
        package let maxUploads: Int
    }

    package struct Database: Sendable {
        package let url: String
        /// Past the pooler that `url` leads through, if there is one.
        package let directURL: String?
        package let maxConnections: Int
        package let migrationsPath: String
    }

    package struct S3: Sendable {
        package let endpoint: String
        package let publicEndpoint: String
        package let region: String
        package let bucket: String
        package let accessKeyID: String
        package let secretAccessKey: String
        package let pathStyle: Bool
        package let deletesVersions: Bool
        package let caFile: String?
        package let maxConnections: Int
    }

    package struct Storage: Sendable {
        package let kind: StorageKind
        /// Of the filesystem store.
        package let path: String
        /// There when `kind` is s3.
        package let s3: S3?
    }

    package struct Twilio: Sendable {
        package let url: String
        package let accountSID: String
        package let authToken: String
        package let from: String
    }

    package struct SMS: Sendable {
        /// Tried in order.
        package let kinds: [SMSKind]
        package let httpURL: String?
        package let httpToken: String?
        package let twilio: Twilio?
        /// Calling codes without a plus and ISO 3166 regions; empty: all.
        package let countries: [String]
        package let androidHash: String?
        package let queueSize: Int
        /// Messages that are with gateways at a time.
        package let maxConnections: Int
        package let limits: MessageCeiling.Limits
    }

    package struct APNS: Sendable {
        package let url: String
        package let teamID: String
        package let keyID: String
        /// The `.p8` file.
        package let keyPath: String
        package let topic: String
        /// Of certificates to trust in the place of the system's.
        package let caFile: String?
    }

    package struct FCM: Sendable {
        package let url: String
        /// The JSON file.
        package let serviceAccountPath: String
    }

    /// Each there when `push.kind` has it.
    package struct Push: Sendable {
        package let apns: APNS?
        package let fcm: FCM?
    }

    package struct Auth: Sendable {
        /// Nil in development when the one under `dataDirectory` is meant.
        package let secret: String?
        /// Still in force: what was made with them is recognised.
        package let previousSecrets: [String]
        /// PEM files, the first signs; empty in development when the one under `dataDirectory` is meant.
        package let signingKeyPaths: [String]
        package let accessTokenLifetime: Duration
        package let refreshTokenLifetime: Duration
        /// How long no client has used an account that is deleted.
        package let dormantAfter: Duration
        package let otpLifetime: Duration
        package let otpAttempts: Int
        package let otpResendAfter: Duration
        package let codeLimits: CodeQuotas
        package let reviewNumbers: [ReviewNumber]
    }

    package struct Limits: Sendable {
        package let groupsPerUser: Int
        package let membersPerGroup: Int
        package let uploadBytes: Int
        package let uploadPixels: Int
        package let uploadMemory: Int
        package let removalsPerDay: Int
        package let contactChecksPerDay: Int
        package let enforceRates: Bool
    }

    package struct Photos: Sendable {
        package let lifetime: Duration
        package let urlLifetime: Duration
        package let sweepInterval: Duration
        package let workerPath: String
        package let workers: Int
        package let workerMemory: Int
        package let workerCPU: Duration
        package let workerTimeout: Duration
        package let queueSize: Int
        package let formats: Set<PictureFormat>
        package let sandbox: ImageProcessorConfiguration.Sandbox
    }

    package struct Audit: Sendable {
        /// Between two audits over all instances; zero: none.
        package let interval: Duration
        package let requestsPerSecond: Int
    }

    package struct Restore: Sendable {
        /// How often the bucket is told that the database is alive.
        package let beatInterval: Duration
        /// How long what was erased is remembered: as long as a backup may be kept.
        package let journalLifetime: Duration
    }

    package struct Invites: Sendable {
        package let lifetime: Duration
        package let openPerGroup: Int
        package let smsPerSenderAndDay: Int
        package let smsPerRecipientAndMonth: Int
        package let resendAfter: Duration
        package let wrongCodesPerUserAndHour: Int
        package let wrongCodesPerAddressAndHour: Int
    }

    package struct Events: Sendable {
        /// How long what happened in a group is kept for those who come back.
        package let retention: Duration
        package let heartbeat: Duration
        /// Of one process.
        package let streams: Int
        package let streamsPerUser: Int
    }

    package struct Links: Sendable {
        /// Nil: the invite page itself.
        package let download: String?
        package let appStore: String?
        package let playStore: String?
        /// Team id, dot, bundle id. Empty: iOS is told of no app.
        package let iOSAppIDs: [String]
        /// Given together with the fingerprints or not at all.
        package let androidPackage: String?
        package let androidFingerprints: [String]
    }

    package struct Log: Sendable {
        package enum Format: String, Sendable {
            case json, text
        }

        /// A level's name, as swift-log has it.
        package let level: String
        package let format: Format
    }

    package let environment: Environment
    package let dataDirectory: String
    package let http: HTTP
    package let database: Database
    package let storage: Storage
    package let sms: SMS
    package let push: Push
    package let auth: Auth
    package let limits: Limits
    package let photos: Photos
    package let audit: Audit
    package let restore: Restore
    package let invites: Invites
    package let events: Events
    package let links: Links
    package let log: Log
}
