import Settings

package struct PhotoSettings: SettingGroup {
    @Setting(
        "photos.lifetime", .duration(.seconds(1) ... .days(365)), default: "48h",
        "How long a photo can be seen after its acceptance.")
    package var lifetime: Duration

    @Setting(
        "photos.url_lifetime", .duration(.seconds(1) ... .days(7)), default: "1h",
        "How long a signed URL of a picture is valid at most.")
    package var urlLifetime: Duration

    @Setting(
        "limits.upload_bytes", .bytes(1_024...(1 << 30)), default: "10MiB", "The size of one uploaded image.")
    package var uploadBytes: Int

    @Setting(
        "limits.upload_memory", .bytes((1 << 20)...(1 << 40)), default: "256MiB",
        "Memory of all uploads in flight, a quarter of it for one sender; beyond it the answer is 503.")
    package var uploadMemory: Int

    @Setting(
        "photos.sweep_interval", .duration(.seconds(1) ... .seconds(240)), default: "5s",
        "How often `serve` deletes expired photos.")
    package var sweepInterval: Duration

    @Setting(
        "audit.interval", .duration(.zero ... .days(7)), default: "1h",
        "How often `serve` compares bucket and database, once over all processes; `0s`: never.")
    package var auditInterval: Duration

    @Setting(
        "audit.requests_per_second", .number(1...100_000), default: "5",
        "Requests of that audit to the object store; a thousand objects take one request.")
    var auditRequestsPerSecond: Int

    /// From the claim of the day to the acceptance. It covers two writes to the object store and one transaction, but
    /// not the decoding.
    package var leaseDuration: Duration = .seconds(30)
    var ticketLifetime: Duration = .hours(24)

    package init() {}
}
