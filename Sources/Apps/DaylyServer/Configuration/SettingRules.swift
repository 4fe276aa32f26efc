import Foundation

/// What settings must be, each by itself and together. Finds everything that is wrong, not only the first.
enum SettingRules {
    static func problems(in values: SettingValues) -> [ConfigurationProblem] {
        let malformed = Setting.allCases.compactMap { setting -> ConfigurationProblem? in
            // A default follows from what is given; complaining about both would say the same thing twice.
            guard values.source(setting) != .fallback, let text = values.text(setting),
                let complaint = setting.kind.complaint(about: text)
            else { return nil }
            return ConfigurationProblem(setting, complaint, remedy: remedy(for: setting))
        }
        // A setting that is malformed is not judged again.
        let known = Set(malformed.map(\.key))
        let combined =
            required(values) + https(values) + limits(values) + workers(values) + files(values)
            + push(values) + authorities(values)
        return malformed + combined.filter { !known.contains($0.key) }
    }

    static func isProduction(_ values: SettingValues) -> Bool {
        values.text(.environment) != "development"
    }

    /// What must be given, depending on what was chosen.
    private static func required(_ values: SettingValues) -> [ConfigurationProblem] {
        var needed: [(Setting, String)] = [(.databaseURL, "is missing")]
        let smsKinds = SettingKind.list(values.text(.smsKind) ?? "")
        if values.text(.storageKind) == "s3" {
            needed += [.s3Endpoint, .s3Region, .s3Bucket, .s3AccessKeyID, .s3SecretAccessKey].map {
                ($0, "is missing, and storage.kind is s3")
            }
        }
        if smsKinds.contains("http") { needed.append((.smsHTTPURL, "is missing, and sms.kind has http")) }
        needed += neededForPush(values)
        if smsKinds.contains("twilio") {
            needed += [.twilioAccountSID, .twilioAuthToken, .twilioFrom].map {
                ($0, "is missing, and sms.kind has twilio")
            }
        }
        if isProduction(values) {
            needed += [
                (.httpPublicURL, "is missing"), (.authSecret, "is missing"), (.authSigningKeys, "is missing"),
                (.smsKind, "is missing"),
            ]
            if smsKinds.contains("http") {
                needed.append((.smsHTTPToken, "is missing, and sms.kind has http"))
            }
        }
        return needed.filter { values.text($0.0) == nil }.map { setting, complaint in
            ConfigurationProblem(setting, complaint, remedy: remedy(for: setting))
        }
    }

    /// In production nothing goes over the network in clear, and nothing that is for development is on.
    private static func https(_ values: SettingValues) -> [ConfigurationProblem] {
        guard isProduction(values) else { return [] }
        var used: [Setting] = [.httpPublicURL, .linksDownload, .linksAppStore, .linksPlayStore]
        let smsKinds = SettingKind.list(values.text(.smsKind) ?? "")
        let pushKinds = SettingKind.list(values.text(.pushKind) ?? "")
        if values.text(.storageKind) == "s3" { used += [.s3Endpoint, .s3PublicEndpoint] }
        if smsKinds.contains("http") { used.append(.smsHTTPURL) }
        if smsKinds.contains("twilio") { used.append(.twilioURL) }
        if pushKinds.contains("apns") { used.append(.apnsURL) }
        if pushKinds.contains("fcm") { used.append(.fcmURL) }
        var found = used.filter {
            values.source($0) != .fallback && values.text($0)?.lowercased().hasPrefix("http://") == true
        }.map {
            ConfigurationProblem(
                $0, "is plain http, which production refuses",
                remedy: "Give an https:// URL, or set environment=development on a machine of your own.")
        }
        if smsKinds.contains("console") {
            found.append(
                ConfigurationProblem(
                    .smsKind, "has console, which would print sign-in codes to the log",
                    remedy: "Set it to http or twilio, or set environment=development."))
        }
        if values.text(.enforceRates).flatMap(SettingKind.flag) == false {
            found.append(
                ConfigurationProblem(
                    .enforceRates, "is false, which leaves sign-in codes open to guessing",
                    remedy: "Leave it out, or set environment=development for load tests."))
        }
        return found
    }

    private static func limits(_ values: SettingValues) -> [ConfigurationProblem] {
        var found: [ConfigurationProblem] = []
        let android = [Setting.linksAndroidPackage, .linksAndroidFingerprints]
        if let missing = android.first(where: { values.text($0) == nil }),
            android.contains(where: { values.text($0) != nil })
        {
            found.append(
                ConfigurationProblem(
                    missing, "is missing, and the other half of what assetlinks.json says is given",
                    remedy: "Give both links.android_package and links.android_fingerprints, or neither."))
        }
        if let upload = values.text(.uploadBytes).flatMap(SettingKind.bytes),
            let memory = values.text(.uploadMemory).flatMap(SettingKind.bytes), memory < upload
        {
            found.append(
                ConfigurationProblem(
                    .uploadMemory, "is less than limits.upload_bytes, so no upload of that size could pass",
                    remedy: "Raise it to a multiple of limits.upload_bytes."))
        }
        if let streams = values.text(.eventsStreams).flatMap({ Int($0) }),
            let connections = values.text(.httpMaxConnections).flatMap({ Int($0) }),
            streams > connections / 5 * 4
        {
            found.append(
                ConfigurationProblem(
                    .eventsStreams,
                    "is more than four fifths of http.max_connections, so streams could take the rest",
                    remedy: "Lower it, or raise http.max_connections."))
        }
        for (setting, suffix) in [(Setting.httpPublicURL, "a query"), (.s3Endpoint, "a query")]
        where values.text(setting)?.contains("?") == true {
            found.append(
                ConfigurationProblem(setting, "has \(suffix)", remedy: "Leave out what follows the ?."))
        }
        return found
    }

    private static func workers(_ values: SettingValues) -> [ConfigurationProblem] {
        guard let cpu = values.text(.photosWorkerCPU).flatMap(SettingKind.duration),
            let timeout = values.text(.photosWorkerTimeout).flatMap(SettingKind.duration)
        else { return [] }
        var found: [ConfigurationProblem] = []
        if cpu.components.attoseconds != 0 {
            found.append(
                ConfigurationProblem(
                    .photosWorkerCPU, "is no whole number of seconds, and the kernel counts in these",
                    remedy: "Round it up."))
        }
        if timeout < cpu {
            found.append(
                ConfigurationProblem(
                    .photosWorkerTimeout, "is less than photos.worker_cpu, which no picture could then use",
                    remedy: "Raise it to twice photos.worker_cpu or more: it includes waiting for a core."))
        }
        return found
    }

    /// Files that are named must be there. Production only, where they are the operator's.
    private static func files(_ values: SettingValues) -> [ConfigurationProblem] {
        SettingKind.list(values.text(.authSigningKeys) ?? "").compactMap { path in
            if let text = try? String(contentsOfFile: path, encoding: .utf8) {
                return text.contains("-----BEGIN ")
                    ? nil
                    : ConfigurationProblem(
                        .authSigningKeys, "names \(path), which is no PEM file",
                        remedy: remedy(for: .authSigningKeys))
            }
            return ConfigurationProblem(
                .authSigningKeys, "names \(path), which cannot be read", remedy: remedy(for: .authSigningKeys)
            )
        } + migrations(values)
    }

    private static func authorities(_ values: SettingValues) -> [ConfigurationProblem] {
        guard values.text(.storageKind) == "s3", let path = values.text(.s3CAFile),
            (try? String(contentsOfFile: path, encoding: .utf8))?.contains("-----BEGIN CERT") != true
        else { return [] }
        return [
            ConfigurationProblem(
                .s3CAFile, "names \(path), which is no readable PEM file of certificates",
                remedy: "Give the file of the authority that signed the object store's certificate.")
        ]
    }

    private static func migrations(_ values: SettingValues) -> [ConfigurationProblem] {
        var isFolder: ObjCBool = false
        if let path = values.text(.databaseMigrationsPath),
            FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
        {
            return []
        }
        let complaint =
            values.text(.databaseMigrationsPath).map { "is \($0), which is no folder" }
            ?? "is not given and no migrations folder lies near the executable"
        return [
            ConfigurationProblem(
                .databaseMigrationsPath, complaint, remedy: remedy(for: .databaseMigrationsPath))
        ]
    }

    /// What to do about a setting that is missing or malformed.
    static func remedy(for setting: Setting) -> String {
        switch setting {
        case .authSecret:
            "Set it to at least 32 random bytes, for example the output of: openssl rand -base64 48"
        case .authSigningKeys:
            "Make one and name its file: "
                + "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out signing.pem"
        case .databaseURL: "Set it to a libpq URL: postgresql://user:password@host:5432/dayly"
        case .databaseDirectURL:
            "Set it to a libpq URL that leads to PostgreSQL past the pooler: postgresql://user:password@host:5432/dayly"
        case .httpPublicURL: "Set it to the https:// URL under which phones reach this service."
        case .smsKind: "Set it to http, twilio or both, comma-separated (console in development)."
        case .s3Endpoint, .s3Region, .s3Bucket, .s3AccessKeyID, .s3SecretAccessKey:
            "Give it as the object store's provider shows it, or set storage.kind=filesystem."
        case .twilioAccountSID, .twilioAuthToken, .twilioFrom:
            "Take it from the Twilio console, or leave twilio out of sms.kind."
        case .smsHTTPURL, .smsHTTPToken: "Take it from the SMS gateway, or leave http out of sms.kind."
        case .apnsTeamID, .apnsKeyID, .apnsKey, .apnsTopic:
            "Take it from the Apple developer account (Certificates, Identifiers & Profiles: Keys), or leave apns out of "
                + "push.kind."
        case .fcmServiceAccount:
            "Name the JSON file that the Firebase console makes (Project settings: Service accounts), or leave fcm out "
                + "of push.kind."
        case .databaseMigrationsPath:
            "Set it to the folder of the .sql files that came with this version."
        default: "Set \(setting.variable), or \(setting.key) in the --config file."
        }
    }
}
