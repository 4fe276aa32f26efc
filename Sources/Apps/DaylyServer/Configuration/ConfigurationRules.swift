import Foundation
import Push
import Settings
import StoreReceipts

/// The rules over several settings. Each property lists all faults of its kind.
extension ServerConfiguration {
    var ruleProblems: [ConfigurationProblem] {
        missing + plainHTTP + forDevelopment + limits + files + pushProblems
            + products.problems(offered: features, appStore: appStore)
    }

    private var isProduction: Bool { environment == .production }

    /// Settings that the chosen ones require.
    private var missing: [ConfigurationProblem] {
        var needed: [(DeclaredSetting, String)] = [(database.$url, "is missing")]
        func need(_ settings: [DeclaredSetting], _ reason: String) {
            needed += settings.map { ($0, "is missing, and \(reason)") }
        }
        if let s3 = storage.s3 {
            need(
                [s3.$endpoint, s3.$region, s3.$bucket, s3.$accessKeyID, s3.$secretAccessKey],
                "storage.kind is s3"
            )
        }
        if sms.kinds.contains(.http) { need([sms.$httpURL], "sms.kind has http") }
        if let apns = push.apns {
            need([apns.$teamID, apns.$keyID, apns.$keyPath, apns.$topic], "push.kind has apns")
        }
        if let fcm = push.fcm { need([fcm.$serviceAccountPath], "push.kind has fcm") }
        if let web = push.web { need([web.$keyPath, web.$contact], "push.kind has web") }
        if let twilio = sms.twilio {
            need([twilio.$accountSID, twilio.$authToken, twilio.$sender], "sms.kind has twilio")
        }
        if isProduction {
            needed += [http.$publicURL, secrets.$secret, secrets.$signingKeyPaths, sms.$kinds].map {
                ($0, "is missing")
            }
            if sms.kinds.contains(.http) { need([sms.$httpToken], "sms.kind has http") }
        }
        return needed.filter { $0.0.isMissing }.map { ConfigurationProblem($0, $1) }
    }

    /// In production nothing is sent over the network in clear. A call of this machine to itself is on no network.
    private var plainHTTP: [ConfigurationProblem] {
        guard isProduction else { return [] }
        let inside: [(DeclaredSetting, URL?)] = [
            (storage.s3Settings.$endpoint, storage.s3?.endpoint),
            (sms.$httpURL, sms.kinds.contains(.http) ? sms.httpURL : nil),
            (sms.twilioSettings.$url, sms.twilio?.url),
        ]
        let outside: [(DeclaredSetting, String?)] = [
            (http.$publicURL, http.publicURL), (links.$download, links.download),
            (links.$appStore, links.appStore), (links.$playStore, links.playStore),
            (links.$privacy, links.privacy), (links.$terms, links.terms),
            (storage.s3Settings.$publicEndpoint, storage.s3?.publicEndpoint?.absoluteString),
            (push.apnsSettings.$url, push.apns?.url), (push.fcmSettings.$url, push.fcm?.url),
            (push.webSettings.$relay, push.web?.relay),
        ]
        let plain = { (text: String?) in text?.lowercased().hasPrefix("http://") == true }
        let onNetwork =
            inside.filter { $0.isGiven && plain($1?.absoluteString) && !Loopback.contains($1) }.map {
                ConfigurationProblem(
                    $0.0, "is plain http to another machine, which production refuses",
                    remedy: "Give an https:// URL, or one of this machine: http://127.0.0.1:9000.")
            }
            + outside.filter { $0.isGiven && plain($1) }.map {
                ConfigurationProblem(
                    $0.0, "is plain http, which production refuses", remedy: "Give an https:// URL.")
            }
        guard let s3 = storage.s3, !s3.$publicEndpoint.isGiven, plain(s3.endpoint.absoluteString),
            Loopback.contains(s3.endpoint)
        else { return onNetwork }
        return onNetwork + [
            ConfigurationProblem(
                s3.$publicEndpoint,
                "is missing, and clients do not reach storage.s3.endpoint, this machine itself",
                remedy: "Give the https:// URL by which clients reach the object store.")
        ]
    }

    /// Console SMS and rates that are off: development only.
    private var forDevelopment: [ConfigurationProblem] {
        var found: [ConfigurationProblem] = []
        if isProduction, sms.kinds.contains(.console) {
            found.append(
                ConfigurationProblem(
                    sms.$kinds, "has console, which would print sign-in codes to the log",
                    remedy: "Set it to http or twilio, or set environment=development."))
        }
        if isProduction, !rates.isEnforced {
            found.append(
                ConfigurationProblem(
                    rates.$isEnforced, "is false, which leaves sign-in codes open to guessing",
                    remedy: "Leave it out, or set environment=development for load tests."))
        }
        return found
    }

    private var limits: [ConfigurationProblem] {
        var found: [ConfigurationProblem] = []
        func refuse(_ isWrong: Bool, _ setting: DeclaredSetting, _ complaint: String, remedy: String) {
            if isWrong { found.append(ConfigurationProblem(setting, complaint, remedy: remedy)) }
        }
        let android = [links.$androidPackage, links.$androidFingerprints]
        for missing in android where missing.isMissing && android.contains(where: \.isGiven) {
            refuse(
                true, missing, "is missing, and the other half of assetlinks.json is given",
                remedy: "Give both links.android_package and links.android_fingerprints, or neither.")
        }
        refuse(
            photos.uploadMemory < photos.uploadBytes, photos.$uploadMemory,
            "is less than limits.upload_bytes, so no upload of that size could pass",
            remedy: "Raise it to a multiple of limits.upload_bytes.")
        refuse(
            events.maxStreams > http.maxConnections / 5 * 4, events.$maxStreams,
            "is more than four fifths of http.max_connections, so streams could take the rest",
            remedy: "Lower it, or raise http.max_connections.")
        for (setting, url) in [
            (http.$publicURL, http.publicURL),
            (storage.s3Settings.$endpoint, storage.s3Settings.endpoint.absoluteString),
        ] {
            refuse(
                url.contains("?"), setting, "has a query", remedy: "Leave out the ? and the text after it.")
        }
        return found
    }

    /// Files that are named must be there.
    private var files: [ConfigurationProblem] {
        var isFolder: ObjCBool = false
        let path = database.migrationsPath
        let hasFolder =
            FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        let migrations = ConfigurationProblem(
            database.$migrationsPath,
            database.$migrationsPath.isMissing
                ? "is not given, and the executable has no migrations folder near it"
                : "is \(path), which is not a folder")
        let hasClient = !web.isEnabled || !web.$path.isGiven || WebFolder.isOne(web.path)
        let client = ConfigurationProblem(
            web.$path, "is \(web.path), which is not a folder with an \(WebClient.shellName)")
        let ca = storage.s3.flatMap { s3 in
            s3.caFile.flatMap { path in
                Self.text(path)?.contains("-----BEGIN CERT") == true
                    ? nil
                    : ConfigurationProblem(
                        s3.$caFile, "names \(path), which is not a readable PEM file of certificates",
                        remedy: "Give the file of the authority that signed the object store's certificate.")
            }
        }
        return secrets.signingKeyPaths.compactMap { Self.pemProblem(secrets.$signingKeyPaths, $0) }
            + (hasFolder ? [] : [migrations]) + (hasClient ? [] : [client]) + [ca].compactMap { $0 }
            + storeRoots
    }

    /// Production trusts Apple's own root alone: anybody could sign purchases under another one.
    private var storeRoots: [ConfigurationProblem] {
        guard let path = appStore.rootsPath else { return [] }
        if let problem = Self.pemProblem(appStore.$rootsPath, path) { return [problem] }
        guard let pem = Self.text(path), ReceiptVerifier.canTrust(pem: pem) else {
            return [
                ConfigurationProblem(
                    appStore.$rootsPath, "names \(path), which holds no certificate that can be read")
            ]
        }
        guard isProduction, !ReceiptVerifier.isAppleRootOnly(pem: pem) else { return [] }
        return [
            ConfigurationProblem(
                appStore.$rootsPath, "holds another root than Apple Root CA - G3, which production refuses",
                remedy: "Leave it out, or set environment=development.")
        ]
    }

    private var pushProblems: [ConfigurationProblem] {
        var found: [ConfigurationProblem] = []
        if push.kinds.contains(.none), push.kinds.count > 1 {
            found.append(
                ConfigurationProblem(
                    push.$kinds, "has none beside others", remedy: "Leave out none, or the others."))
        }
        if let apns = push.apns {
            found += [
                apns.$keyPath.isMissing ? nil : Self.pemProblem(apns.$keyPath, apns.keyPath),
                apns.caFile.flatMap { Self.pemProblem(apns.$caFile, $0) },
            ].compactMap { $0 }
            // HTTP/2 is negotiated within TLS, in development too.
            if !isProduction, apns.url.lowercased().hasPrefix("http://") {
                found.append(
                    ConfigurationProblem(
                        apns.$url, "is plain http, and APNs needs HTTP/2 over TLS",
                        remedy: "Give an https:// URL; push.apns.ca_file names the certificates to trust."))
            }
        }
        if let web = push.web, !web.$keyPath.isMissing {
            found += [Self.pemProblem(web.$keyPath, web.keyPath)].compactMap { $0 }
        }
        if let web = push.web, !web.$contact.isMissing, WebPushContact.publicDomain(of: web.contact) == nil {
            found.append(
                ConfigurationProblem(
                    web.$contact,
                    "is \(web.contact), whose domain does not exist on the internet: Apple would refuse all messages",
                    remedy:
                        "Give an address at which push services reach you, such as mailto:you@your-domain.org."
                ))
        }
        if let fcm = push.fcm, !fcm.$serviceAccountPath.isMissing { found += serviceAccountProblem(fcm) }
        return found
    }

    private func serviceAccountProblem(_ fcm: FCMSettings) -> [ConfigurationProblem] {
        let (setting, path) = (fcm.$serviceAccountPath, fcm.serviceAccountPath)
        let file: Data
        do { file = try FileFault.read(path) } catch { return [Self.problem(setting, path, error)] }
        guard let account = ServiceAccount(json: file) else {
            return [
                ConfigurationProblem(setting, "names \(path), which is not a service account's JSON file")
            ]
        }
        let scheme = URLComponents(string: account.tokenURI)?.scheme?.lowercased()
        if scheme == "https" || (scheme == "http" && !isProduction) { return [] }
        return [
            ConfigurationProblem(
                setting, "names \(path), whose token_uri is not an https URL",
                remedy: "Take the file as the Firebase console makes it.")
        ]
    }

    private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    private static func pemProblem(_ setting: DeclaredSetting, _ path: String) -> ConfigurationProblem? {
        let file: Data
        do { file = try FileFault.read(path) } catch { return problem(setting, path, error) }
        return String(decoding: file, as: UTF8.self).contains("-----BEGIN ")
            ? nil : ConfigurationProblem(setting, "names \(path), which is not a PEM file")
    }

    private static func problem(
        _ setting: DeclaredSetting, _ path: String, _ fault: FileFault
    ) -> ConfigurationProblem {
        ConfigurationProblem(setting, "names \(path), which \(fault.complaint)", remedy: fault.remedy)
    }
}
