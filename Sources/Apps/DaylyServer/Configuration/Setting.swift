import PhotoWorkers

/// Every configuration key. The raw value is the key as a file has it; the environment variable follows from it by
/// one rule: upper-case, dots to underscores, `DAYLY_` in front.
package enum Setting: String, CaseIterable, Sendable {
    case environment
    case dataDirectory = "data_dir"

    case httpHost = "http.host"
    case httpPort = "http.port"
    case httpPublicURL = "http.public_url"
    case httpAdminPort = "http.admin_port"
    case httpTrustedProxies = "http.trusted_proxies"
    case httpMaxConnections = "http.max_connections"
    case httpMaxRequests = "http.max_requests"
    case httpMaxUploads = "http.max_uploads"

    case databaseURL = "database.url"
    case databaseDirectURL = "database.direct_url"
    case databaseMaxConnections = "database.max_connections"
    case databaseMigrationsPath = "database.migrations_path"

    case storageKind = "storage.kind"
    case storagePath = "storage.path"
    case s3Endpoint = "storage.s3.endpoint"
    case s3PublicEndpoint = "storage.s3.public_endpoint"
    case s3Region = "storage.s3.region"
    case s3Bucket = "storage.s3.bucket"
    case s3AccessKeyID = "storage.s3.access_key_id"
    case s3SecretAccessKey = "storage.s3.secret_access_key"
    case s3PathStyle = "storage.s3.path_style"
    case s3DeleteVersions = "storage.s3.delete_versions"
    case s3CAFile = "storage.s3.ca_file"
    case s3MaxConnections = "storage.s3.max_connections"

    case smsKind = "sms.kind"
    case smsHTTPURL = "sms.http.url"
    case smsHTTPToken = "sms.http.token"
    case twilioURL = "sms.twilio.url"
    case twilioAccountSID = "sms.twilio.account_sid"
    case twilioAuthToken = "sms.twilio.auth_token"
    case twilioFrom = "sms.twilio.from"
    case smsCountries = "sms.countries"
    case smsAndroidHash = "sms.android_hash"
    case smsQueueSize = "sms.queue_size"
    case smsMaxConnections = "sms.max_connections"
    case smsPerMinute = "sms.limits.per_minute"
    case smsPerDay = "sms.limits.per_day"

    case pushKind = "push.kind"
    case apnsURL = "push.apns.url"
    case apnsTeamID = "push.apns.team_id"
    case apnsKeyID = "push.apns.key_id"
    case apnsKey = "push.apns.key"
    case apnsTopic = "push.apns.topic"
    case apnsCAFile = "push.apns.ca_file"
    case fcmURL = "push.fcm.url"
    case fcmServiceAccount = "push.fcm.service_account"

    case authSecret = "auth.secret"
    case authPreviousSecrets = "auth.previous_secrets"
    case authSigningKeys = "auth.signing_keys"
    case authAccessTokenLifetime = "auth.access_token_lifetime"
    case authRefreshTokenLifetime = "auth.refresh_token_lifetime"
    case authOTPLifetime = "auth.otp.lifetime"
    case authOTPAttempts = "auth.otp.attempts"
    case authOTPResendAfter = "auth.otp.resend_after"
    case codesPerNumberAndHour = "auth.otp.limits.number_per_hour"
    case codesPerNumberAndDay = "auth.otp.limits.number_per_day"
    case codesReserved = "auth.otp.limits.number_reserved"
    case codesPerAddress = "auth.otp.limits.address_per_hour"
    case codesPerNetwork = "auth.otp.limits.network_per_hour"
    case codesPerPrefix = "auth.otp.limits.prefix_per_hour"
    case prefixSample = "auth.otp.limits.prefix_sample"
    case prefixVerifiedPercent = "auth.otp.limits.prefix_verified_percent"
    case prefixPause = "auth.otp.limits.prefix_pause"
    case failuresPerNumber = "auth.otp.limits.failures_per_number"
    case failuresPause = "auth.otp.limits.failures_pause"
    case failuresLongPause = "auth.otp.limits.failures_long_pause"
    case failuresPerBlock = "auth.otp.limits.failures_per_block"
    case failuresPerMinute = "auth.otp.limits.failures_per_minute"
    case authReviewers = "auth.reviewers"

    case accountsDormantAfter = "accounts.dormant_after"

    case groupsPerUser = "limits.groups_per_user"
    case membersPerGroup = "limits.members_per_group"
    case uploadBytes = "limits.upload_bytes"
    case uploadPixels = "limits.upload_pixels"
    case uploadMemory = "limits.upload_memory"
    case removalsPerDay = "limits.removals_per_day"
    case contactChecksPerDay = "limits.contact_checks_per_day"
    case enforceRates = "limits.enforce_rates"

    case photosLifetime = "photos.lifetime"
    case photosURLLifetime = "photos.url_lifetime"
    case photosSweepInterval = "photos.sweep_interval"
    case photosWorkerPath = "photos.worker_path"
    case photosWorkers = "photos.workers"
    case photosWorkerMemory = "photos.worker_memory"
    case photosWorkerCPU = "photos.worker_cpu"
    case photosWorkerTimeout = "photos.worker_timeout"
    case photosQueueSize = "photos.queue_size"
    case photosFormats = "photos.formats"
    case photosSandbox = "photos.sandbox"

    case auditInterval = "audit.interval"
    case auditRequestsPerSecond = "audit.requests_per_second"
    case restoreBeatInterval = "restore.beat_interval"
    case restoreJournalLifetime = "restore.journal_lifetime"

    case invitesLifetime = "invites.lifetime"
    case invitesOpenPerGroup = "invites.open_per_group"
    case invitesSMSPerSender = "invites.sms_per_sender_and_day"
    case invitesSMSPerRecipient = "invites.sms_per_recipient_and_month"
    case invitesResendAfter = "invites.resend_after"
    case invitesWrongCodesPerUser = "invites.wrong_codes_per_user_and_hour"
    case invitesWrongCodesPerAddress = "invites.wrong_codes_per_address_and_hour"
    case eventsRetention = "events.retention"
    case eventsHeartbeat = "events.heartbeat"
    case eventsStreams = "events.streams"
    case eventsStreamsPerUser = "events.streams_per_user"
    case linksDownload = "links.download"
    case linksAppStore = "links.app_store"
    case linksPlayStore = "links.play_store"
    case linksIOSAppIDs = "links.ios_app_ids"
    case linksAndroidPackage = "links.android_package"
    case linksAndroidFingerprints = "links.android_fingerprints"

    case logLevel = "log.level"
    case logFormat = "log.format"

    /// The key as a configuration file has it.
    package var key: String { rawValue }

    /// `storage.s3.bucket` → `DAYLY_STORAGE_S3_BUCKET`.
    package var variable: String {
        Self.variablePrefix + key.uppercased().replacing(".", with: "_")
    }

    package static let variablePrefix = "DAYLY_"

    /// Whether its value is never to be shown.
    package var isSecret: Bool {
        switch self {
        case .authSecret, .authPreviousSecrets, .s3SecretAccessKey, .smsHTTPToken, .twilioAuthToken: true
        default: false
        }
    }
}

extension Setting {
    /// What a value must look like.
    var kind: SettingKind {
        switch self {
        case .environment: .choice(["production", "development"])
        case .dataDirectory, .databaseMigrationsPath, .storagePath, .photosWorkerPath, .s3CAFile, .apnsKey,
            .apnsCAFile, .fcmServiceAccount:
            .path
        case .authSigningKeys: .paths
        case .httpHost, .s3Region, .s3Bucket, .s3AccessKeyID, .s3SecretAccessKey, .smsHTTPToken,
            .twilioAccountSID, .twilioAuthToken, .twilioFrom:
            .text
        case .smsAndroidHash: .shape(.androidHash)
        case .apnsTeamID, .apnsKeyID: .shape(.appleID)
        case .apnsTopic: .shape(.bundleID)
        case .authSecret: .secret(minBytes: 32)
        case .authPreviousSecrets: .secrets(minBytes: 32)
        case .httpPort: .number(1...65_535)
        case .httpAdminPort: .number(0...65_535)
        case .httpPublicURL, .s3Endpoint, .s3PublicEndpoint, .smsHTTPURL, .twilioURL, .apnsURL, .fcmURL,
            .linksDownload, .linksAppStore, .linksPlayStore:
            .webURL
        case .httpTrustedProxies: .addresses
        case .httpMaxConnections: .number(1...1_000_000)
        case .httpMaxRequests, .httpMaxUploads: .number(1...100_000)
        case .databaseURL, .databaseDirectURL: .databaseURL
        case .databaseMaxConnections: .number(1...1_000)
        case .storageKind: .choice(["filesystem", "s3"])
        case .s3PathStyle, .s3DeleteVersions, .enforceRates: .flag
        case .smsKind: .choices(["console", "http", "twilio"])
        case .smsCountries: .countries
        case .smsQueueSize: .number(1...1_000_000)
        case .smsMaxConnections, .s3MaxConnections: .number(1...10_000)
        case .smsPerMinute, .smsPerDay, .codesPerNumberAndHour, .codesPerNumberAndDay, .codesPerAddress,
            .codesPerNetwork, .codesPerPrefix, .prefixSample, .failuresPerNumber, .failuresPerBlock,
            .failuresPerMinute:
            .number(1...1_000_000)
        case .codesReserved: .number(0...1_000_000)
        case .prefixVerifiedPercent: .number(0...100)
        case .prefixPause, .failuresPause, .failuresLongPause:
            .duration(.seconds(1) ... .seconds(30 * 86_400))
        case .authReviewers: .reviewers
        case .pushKind: .choices(["none", "apns", "fcm"])
        case .authAccessTokenLifetime: .duration(.seconds(5) ... .seconds(86_400))
        case .authRefreshTokenLifetime: .duration(.seconds(10) ... .seconds(400 * 86_400))
        case .authOTPLifetime: .duration(.seconds(1) ... .seconds(3_600))
        case .authOTPAttempts: .number(1...20)
        case .authOTPResendAfter: .duration(.zero ... .seconds(3_600))
        case .accountsDormantAfter: .duration(.seconds(86_400) ... .seconds(3_650 * 86_400))
        case .groupsPerUser: .number(1...1_000)
        case .membersPerGroup: .number(2...1_000)
        case .uploadBytes: .bytes(1_024...(1 << 30))
        case .uploadPixels: .number(1_000...1_000_000_000)
        case .uploadMemory: .bytes((1 << 20)...(1 << 40))
        case .photosLifetime: .duration(.seconds(1) ... .seconds(365 * 86_400))
        case .photosURLLifetime: .duration(.seconds(1) ... .seconds(7 * 86_400))
        case .photosSweepInterval: .duration(.seconds(1) ... .seconds(240))
        case .auditInterval: .duration(.zero ... .seconds(7 * 86_400))
        case .auditRequestsPerSecond: .number(1...100_000)
        case .restoreBeatInterval: .duration(.seconds(1) ... .seconds(600))
        case .restoreJournalLifetime: .duration(.seconds(3_600) ... .seconds(400 * 86_400))
        case .photosWorkers: .number(1...1_024)
        case .photosWorkerMemory: .bytes((128 << 20)...(1 << 40))
        case .photosWorkerCPU, .photosWorkerTimeout: .duration(.seconds(1) ... .seconds(600))
        case .photosQueueSize: .number(0...100_000)
        case .photosFormats: .choices(PictureFormat.allCases.map(\.rawValue))
        case .photosSandbox: .choice(ImageProcessorConfiguration.Sandbox.allCases.map(\.rawValue))
        case .removalsPerDay, .contactChecksPerDay, .invitesOpenPerGroup, .invitesSMSPerSender,
            .invitesSMSPerRecipient, .invitesWrongCodesPerUser, .invitesWrongCodesPerAddress:
            .number(1...100_000)
        case .invitesResendAfter: .duration(.zero ... .seconds(86_400))
        case .linksIOSAppIDs: .shapes(.iOSAppID)
        case .linksAndroidPackage: .shape(.androidPackage)
        case .linksAndroidFingerprints: .shapes(.certificateFingerprint)
        case .eventsRetention: .duration(.seconds(1) ... .seconds(365 * 86_400))
        case .eventsHeartbeat: .duration(.seconds(1) ... .seconds(14))
        case .eventsStreams: .number(0...1_000_000)
        case .eventsStreamsPerUser: .number(1...1_000)
        case .invitesLifetime: .duration(.seconds(1) ... .seconds(365 * 86_400))
        case .logLevel: .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"])
        case .logFormat: .choice(["json", "text"])
        }
    }

    /// What holds when nobody says anything; nil where there is none, or where it follows from other settings
    /// (`SettingValues.derivedDefault`).
    var fallback: String? {
        switch self {
        case .environment: "production"
        case .httpHost: "127.0.0.1"
        case .httpPort: "8080"
        case .httpAdminPort: "9464"
        case .httpMaxConnections: "10000"
        case .httpMaxUploads: "256"
        case .databaseMaxConnections: "8"
        case .storageKind: "filesystem"
        case .s3Region: "us-east-1"
        case .s3PathStyle: "true"
        case .s3DeleteVersions: "false"
        case .twilioURL: "https://api.twilio.com"
        case .smsQueueSize: "1000"
        case .smsMaxConnections: "32"
        case .s3MaxConnections: "128"
        case .smsPerMinute, .failuresPerMinute: "300"
        case .smsPerDay: "10000"
        case .codesPerNumberAndHour: "5"
        case .codesPerNumberAndDay: "10"
        case .codesReserved: "2"
        case .codesPerAddress: "30"
        case .codesPerNetwork: "120"
        case .codesPerPrefix, .prefixSample, .failuresPerBlock: "100"
        case .prefixVerifiedPercent: "20"
        case .prefixPause, .failuresPause: "1h"
        case .failuresPerNumber: "15"
        case .failuresLongPause: "24h"
        case .pushKind: "none"
        case .apnsURL: "https://api.push.apple.com"
        case .fcmURL: "https://fcm.googleapis.com"
        case .authAccessTokenLifetime: "15m"
        case .authRefreshTokenLifetime: "60d"
        case .authOTPLifetime: "5m"
        case .authOTPAttempts: "5"
        case .authOTPResendAfter: "30s"
        case .accountsDormantAfter: "90d"
        case .groupsPerUser: "5"
        case .membersPerGroup: "12"
        case .uploadBytes: "10MiB"
        case .uploadPixels: "50000000"
        case .uploadMemory: "256MiB"
        case .removalsPerDay: "3"
        case .contactChecksPerDay: "500"
        case .enforceRates: "true"
        case .photosLifetime: "48h"
        case .photosURLLifetime: "1h"
        case .photosSweepInterval: "5s"
        case .auditInterval: "1h"
        case .auditRequestsPerSecond: "5"
        case .restoreBeatInterval: "30s"
        case .restoreJournalLifetime: "35d"
        case .photosWorkerMemory: "1GiB"
        case .photosWorkerCPU: "6s"
        case .photosWorkerTimeout: "15s"
        case .photosQueueSize: "64"
        case .photosFormats: PictureFormat.allCases.map(\.rawValue).joined(separator: ",")
        case .photosSandbox: "required"
        case .invitesLifetime: "7d"
        case .invitesOpenPerGroup: "24"
        case .invitesSMSPerSender: "20"
        case .invitesSMSPerRecipient: "3"
        case .invitesResendAfter: "10m"
        case .invitesWrongCodesPerUser: "10"
        case .invitesWrongCodesPerAddress: "100"
        case .eventsRetention: "72h"
        case .eventsHeartbeat: "12s"
        case .eventsStreamsPerUser: "10"
        case .logLevel: "info"
        default: nil
        }
    }
}
