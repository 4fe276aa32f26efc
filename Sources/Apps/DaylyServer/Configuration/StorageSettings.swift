import ObjectStorage
import Settings

package struct StorageSettings: SettingGroup {
    package enum Kind: String, CaseIterable, Sendable {
        case filesystem, s3
    }

    @Setting(
        "storage.kind", .choice, default: "filesystem", "Where pictures are stored: `filesystem` or `s3`.")
    package var kind: Kind

    @Setting(
        "storage.path", .path,
        default: .derived("`objects` in `data_dir`") { ($0("data_dir") ?? ".") + "/objects" },
        "The folder of `filesystem`.")
    package var path: String

    var s3Settings = S3Configuration()

    package init() {}

    /// Nil: `kind` is not s3.
    package var s3: S3Configuration? { kind == .s3 ? s3Settings : nil }
}
