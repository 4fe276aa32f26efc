import Foundation
import Push

/// What push messages need.
extension SettingRules {
    private static func kinds(_ values: SettingValues) -> [String] {
        SettingKind.list(values.text(.pushKind) ?? "")
    }

    static func neededForPush(_ values: SettingValues) -> [(Setting, String)] {
        var needed: [(Setting, String)] = []
        if kinds(values).contains("apns") {
            needed += [.apnsTeamID, .apnsKeyID, .apnsKey, .apnsTopic].map {
                ($0, "is missing, and push.kind has apns")
            }
        }
        if kinds(values).contains("fcm") {
            needed.append((.fcmServiceAccount, "is missing, and push.kind has fcm"))
        }
        return needed
    }

    static func push(_ values: SettingValues) -> [ConfigurationProblem] {
        let kinds = kinds(values)
        var found: [ConfigurationProblem] = []
        if kinds.contains("none"), kinds.count > 1 {
            found.append(
                ConfigurationProblem(
                    .pushKind, "has none beside others", remedy: "Leave out none, or the others."))
        }
        if kinds.contains("apns") { found += apns(values) }
        if kinds.contains("fcm") { found += serviceAccount(values) }
        return found
    }

    private static func apns(_ values: SettingValues) -> [ConfigurationProblem] {
        var found = [Setting.apnsKey, .apnsCAFile].compactMap { setting -> ConfigurationProblem? in
            guard let path = values.text(setting) else { return nil }
            let text = try? String(contentsOfFile: path, encoding: .utf8)
            if text?.contains("-----BEGIN ") == true { return nil }
            let complaint =
                "names \(path), which " + (text == nil ? "cannot be read" : "is no PEM file")
            return ConfigurationProblem(setting, complaint, remedy: remedy(for: setting))
        }
        // HTTP/2 is agreed upon within TLS, in development too.
        if values.text(.apnsURL)?.lowercased().hasPrefix("http://") == true, !isProduction(values) {
            found.append(
                ConfigurationProblem(
                    .apnsURL, "is plain http, and APNs is spoken to by HTTP/2 over TLS alone",
                    remedy: "Give an https:// URL; push.apns.ca_file names the certificates to trust."))
        }
        return found
    }

    private static func serviceAccount(_ values: SettingValues) -> [ConfigurationProblem] {
        guard let path = values.text(.fcmServiceAccount) else { return [] }
        let file = FileManager.default.contents(atPath: path)
        guard let file, let account = ServiceAccount(json: file) else {
            let complaint =
                "names \(path), which "
                + (file == nil ? "cannot be read" : "is no service account's JSON file")
            return [
                ConfigurationProblem(
                    .fcmServiceAccount, complaint, remedy: remedy(for: .fcmServiceAccount))
            ]
        }
        let scheme = URLComponents(string: account.tokenURI)?.scheme?.lowercased()
        if scheme == "https" || (scheme == "http" && !isProduction(values)) { return [] }
        return [
            ConfigurationProblem(
                .fcmServiceAccount, "names \(path), whose token_uri is no https URL",
                remedy: "Take the file as the Firebase console makes it.")
        ]
    }
}
