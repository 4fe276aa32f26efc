import Testing

@testable import Settings

@Suite("Forms of text")
struct SettingTextTests {
    @Test(
        "durations",
        arguments: [
            ("250ms", Duration.milliseconds(250)), ("30s", .seconds(30)), ("5m", .seconds(300)),
            ("48h", .seconds(172_800)), ("7d", .seconds(604_800)), ("0s", .zero),
        ])
    func durations(_ text: String, _ duration: Duration) {
        #expect(SettingText.duration(text) == duration)
    }

    @Test(
        "a text that is not a duration is refused",
        arguments: [
            "", "30", "s", "-5s", "5 m", "1.5h", "5y", "٣s", "99999999999s", "9223372036854775807d",
        ])
    func noDurations(_ text: String) {
        #expect(SettingText.duration(text) == nil)
    }

    @Test("a list of secrets may hold commas, each after a backslash")
    func secretsWithCommas() {
        #expect(
            SettingText.escapedList(#"one\,two, three ,,four\five"#) == ["one,two", "three", #"four\five"#])
    }

    @Test(
        "sizes",
        arguments: [
            ("10485760", 10_485_760), ("10MiB", 10_485_760), ("512 KiB", 524_288), ("1GiB", 1_073_741_824),
            ("10MB", 10_000_000), ("3b", 3),
        ])
    func sizes(_ text: String, _ bytes: Int) {
        #expect(SettingText.bytes(text) == bytes)
    }

    @Test(
        "a text that is not a size is refused",
        arguments: ["", "MiB", "-1", "1.5MiB", "10XB", "9223372036854775807GiB"])
    func noSizes(_ text: String) {
        #expect(SettingText.bytes(text) == nil)
    }
}
