import Auth
import PhotoWorkers
import RateLimiting

extension ServerConfiguration {
    /// - Parameter purpose: Settings that it does not need may be missing or wrong; what they mean is undefined then.
    /// - Throws: `ConfigurationProblems` with everything that is wrong, not only the first.
    package init(values: SettingValues, for purpose: Purpose = .service) throws(ConfigurationProblems) {
        let problems = SettingRules.problems(in: values).filter { purpose.needs($0.setting) }
        guard problems.isEmpty else { throw ConfigurationProblems(problems: problems) }
        let read = CheckedValues(values: values)
        environment = read.environment
        dataDirectory = read.text(.dataDirectory)
        http = HTTP(
            host: read.text(.httpHost), port: read.number(.httpPort), publicURL: read.url(.httpPublicURL),
            adminPort: read.number(.httpAdminPort),
            isAdminPortGiven: values.source(.httpAdminPort) != .fallback,
            trustedProxies: read.list(.httpTrustedProxies), maxConnections: read.number(.httpMaxConnections),
            maxRequests: read.number(.httpMaxRequests), maxUploads: read.number(.httpMaxUploads))
        database = Database(
            url: read.text(.databaseURL), directURL: values.text(.databaseDirectURL),
            maxConnections: read.number(.databaseMaxConnections),
            migrationsPath: read.text(.databaseMigrationsPath))
        storage = read.storage
        sms = read.sms
        push = read.push
        auth = Auth(
            secret: values.text(.authSecret),
            previousSecrets: SettingKind.secrets(read.text(.authPreviousSecrets)),
            signingKeyPaths: read.list(.authSigningKeys),
            accessTokenLifetime: read.duration(.authAccessTokenLifetime),
            refreshTokenLifetime: read.duration(.authRefreshTokenLifetime),
            dormantAfter: read.duration(.accountsDormantAfter), otpLifetime: read.duration(.authOTPLifetime),
            otpAttempts: read.number(.authOTPAttempts),
            otpResendAfter: read.duration(.authOTPResendAfter), codeLimits: read.codeLimits,
            reviewNumbers: read.list(.authReviewers).compactMap(ReviewNumber.init))
        limits = Limits(
            groupsPerUser: read.number(.groupsPerUser), membersPerGroup: read.number(.membersPerGroup),
            uploadBytes: read.bytes(.uploadBytes), uploadPixels: read.number(.uploadPixels),
            uploadMemory: read.bytes(.uploadMemory), removalsPerDay: read.number(.removalsPerDay),
            contactChecksPerDay: read.number(.contactChecksPerDay), enforceRates: read.flag(.enforceRates))
        photos = read.photos
        audit = Audit(
            interval: read.duration(.auditInterval), requestsPerSecond: read.number(.auditRequestsPerSecond))
        restore = Restore(
            beatInterval: read.duration(.restoreBeatInterval),
            journalLifetime: read.duration(.restoreJournalLifetime))
        invites = Invites(
            lifetime: read.duration(.invitesLifetime), openPerGroup: read.number(.invitesOpenPerGroup),
            smsPerSenderAndDay: read.number(.invitesSMSPerSender),
            smsPerRecipientAndMonth: read.number(.invitesSMSPerRecipient),
            resendAfter: read.duration(.invitesResendAfter),
            wrongCodesPerUserAndHour: read.number(.invitesWrongCodesPerUser),
            wrongCodesPerAddressAndHour: read.number(.invitesWrongCodesPerAddress))
        events = Events(
            retention: read.duration(.eventsRetention), heartbeat: read.duration(.eventsHeartbeat),
            streams: read.number(.eventsStreams), streamsPerUser: read.number(.eventsStreamsPerUser))
        links = Links(
            download: values.text(.linksDownload), appStore: values.text(.linksAppStore),
            playStore: values.text(.linksPlayStore), iOSAppIDs: read.list(.linksIOSAppIDs),
            androidPackage: values.text(.linksAndroidPackage),
            androidFingerprints: read.list(.linksAndroidFingerprints))
        log = Log(
            level: read.text(.logLevel), format: Log.Format(rawValue: read.text(.logFormat)) ?? .json)
    }

    /// Reads and checks in one go.
    package static func load(environment: [String: String], file: String?) async throws -> ServerConfiguration
    {
        try ServerConfiguration(values: await SettingValues.read(environment: environment, file: file))
    }
}

/// Typed readings of values. The fallbacks here are only reached by settings that the command does not need.
private struct CheckedValues {
    let values: SettingValues

    func text(_ setting: Setting) -> String { values.text(setting) ?? "" }
    func number(_ setting: Setting) -> Int { Int(text(setting)) ?? 0 }
    func bytes(_ setting: Setting) -> Int { SettingKind.bytes(text(setting)) ?? 0 }
    func flag(_ setting: Setting) -> Bool { SettingKind.flag(text(setting)) ?? true }
    func duration(_ setting: Setting) -> Duration { SettingKind.duration(text(setting)) ?? .zero }
    func list(_ setting: Setting) -> [String] { SettingKind.list(text(setting)) }

    func url(_ setting: Setting) -> String {
        var url = text(setting)
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }

    var environment: ServerConfiguration.Environment {
        ServerConfiguration.Environment(rawValue: text(.environment)) ?? .production
    }

    var storage: ServerConfiguration.Storage {
        let kind = ServerConfiguration.StorageKind(rawValue: text(.storageKind)) ?? .filesystem
        let s3 = ServerConfiguration.S3(
            endpoint: url(.s3Endpoint), publicEndpoint: url(.s3PublicEndpoint), region: text(.s3Region),
            bucket: text(.s3Bucket), accessKeyID: text(.s3AccessKeyID),
            secretAccessKey: text(.s3SecretAccessKey), pathStyle: flag(.s3PathStyle),
            deletesVersions: flag(.s3DeleteVersions), caFile: values.text(.s3CAFile),
            maxConnections: number(.s3MaxConnections))
        return ServerConfiguration.Storage(
            kind: kind, path: text(.storagePath), s3: kind == .s3 ? s3 : nil)
    }

    var photos: ServerConfiguration.Photos {
        ServerConfiguration.Photos(
            lifetime: duration(.photosLifetime), urlLifetime: duration(.photosURLLifetime),
            sweepInterval: duration(.photosSweepInterval), workerPath: text(.photosWorkerPath),
            workers: number(.photosWorkers), workerMemory: bytes(.photosWorkerMemory),
            workerCPU: duration(.photosWorkerCPU), workerTimeout: duration(.photosWorkerTimeout),
            queueSize: number(.photosQueueSize),
            formats: Set(list(.photosFormats).compactMap(PictureFormat.init)),
            sandbox: ImageProcessorConfiguration.Sandbox(rawValue: text(.photosSandbox)) ?? .required)
    }

    var push: ServerConfiguration.Push {
        let kinds = list(.pushKind)
        let apns = ServerConfiguration.APNS(
            url: url(.apnsURL), teamID: text(.apnsTeamID), keyID: text(.apnsKeyID), keyPath: text(.apnsKey),
            topic: text(.apnsTopic), caFile: values.text(.apnsCAFile))
        let fcm = ServerConfiguration.FCM(
            url: url(.fcmURL), serviceAccountPath: text(.fcmServiceAccount))
        return ServerConfiguration.Push(
            apns: kinds.contains("apns") ? apns : nil, fcm: kinds.contains("fcm") ? fcm : nil)
    }

    var sms: ServerConfiguration.SMS {
        let kinds = list(.smsKind).compactMap(ServerConfiguration.SMSKind.init)
        let twilio = ServerConfiguration.Twilio(
            url: url(.twilioURL), accountSID: text(.twilioAccountSID), authToken: text(.twilioAuthToken),
            from: text(.twilioFrom))
        return ServerConfiguration.SMS(
            kinds: kinds, httpURL: values.text(.smsHTTPURL), httpToken: values.text(.smsHTTPToken),
            twilio: kinds.contains(.twilio) ? twilio : nil,
            countries: list(.smsCountries).compactMap(SettingKind.country),
            androidHash: values.text(.smsAndroidHash), queueSize: number(.smsQueueSize),
            maxConnections: number(.smsMaxConnections),
            limits: messageLimits)
    }

    private var messageLimits: MessageCeiling.Limits {
        var limits = MessageCeiling.Limits()
        limits.perMinute = number(.smsPerMinute)
        limits.perDay = number(.smsPerDay)
        limits.isForOneCallingCode = list(.smsCountries).count == 1
        return limits
    }

    var codeLimits: CodeQuotas {
        var limits = CodeQuotas()
        limits.numberPerHour = number(.codesPerNumberAndHour)
        limits.numberPerDay = number(.codesPerNumberAndDay)
        limits.numberReserved = number(.codesReserved)
        limits.addressPerHour = number(.codesPerAddress)
        limits.networkPerHour = number(.codesPerNetwork)
        limits.prefixPerHour = number(.codesPerPrefix)
        limits.prefixSample = number(.prefixSample)
        limits.prefixVerifiedPercent = number(.prefixVerifiedPercent)
        limits.prefixPause = duration(.prefixPause)
        limits.failuresPerNumber = number(.failuresPerNumber)
        limits.failuresPause = duration(.failuresPause)
        limits.failuresLongPause = duration(.failuresLongPause)
        limits.failuresPerBlock = number(.failuresPerBlock)
        limits.failuresPerMinute = number(.failuresPerMinute)
        return limits
    }
}
