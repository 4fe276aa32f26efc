import Settings
import Testing

private enum Colour: String, CaseIterable, Sendable {
    case red, green
}

private struct Sample: SettingGroup {
    @Setting("a.lifetime", .duration(.seconds(1) ... .days(2)), default: "48h", "How long.")
    var lifetime: Duration
    @Setting("a.name", .text, "A name.", remedy: "Give it a name.")
    var name: String
    @Setting("a.colour", .choice, default: "green", "Its colour.")
    var colour: Colour
    @Setting("a.file", .path, "A file.")
    var file: String?
    @Setting(
        "a.half", .number(0...100),
        default: .derived("half of `a.whole`") {
            $0("a.whole").flatMap { Int($0) }.map { "\($0 / 2)" } ?? "7"
        }, "Half.")
    var half: Int
    @Setting("a.whole", .number(0...100), default: "50", "The whole.")
    var whole: Int
    @Setting("a.token", .secret(minBytes: 4), "A token.", secret: true)
    var token: String?
    var inner = Inner()

    struct Inner: SettingGroup {
        @Setting("a.inner.proxies", .addresses, "Proxies.")
        var proxies: [String]
    }
}

@Suite("One declaration per setting")
struct DeclarationTests {
    /// A group read from texts, and the source that it was read from.
    private func read(_ texts: [String: String]) -> (group: Sample, source: SettingSource) {
        let recorder = SettingSource()
        _ = SettingSource.$current.withValue(recorder) { Sample() }
        let given = texts.mapValues { SettingValues.Entry(text: $0, origin: .environment) }
        let source = SettingSource(SettingValues(recorder.declared, given: given))
        return (SettingSource.$current.withValue(source) { Sample() }, source)
    }

    @Test("without a source a setting has its default")
    func defaults() {
        let sample = Sample()
        #expect(sample.lifetime == .hours(48) && sample.colour == .green && sample.whole == 50)
        #expect(sample.half == 7)
        #expect(sample.file == nil && sample.inner.proxies.isEmpty)
    }

    @Test("a source gives the values, the groups within a group included")
    func values() {
        let (sample, source) = read([
            "a.lifetime": "2h", "a.name": "x", "a.colour": "red", "a.file": "/f",
            "a.inner.proxies": "::1, 10.0.0.0/8",
        ])
        #expect(sample.lifetime == .hours(2) && sample.name == "x" && sample.colour == .red)
        #expect(sample.file == "/f" && sample.inner.proxies == ["::1", "10.0.0.0/8"])
        #expect(sample.$lifetime.origin == .environment && sample.$lifetime.isGiven)
        #expect(sample.$whole.origin == .fallback && !sample.$whole.isGiven)
        #expect(source.problems.isEmpty)
    }

    @Test("declarations are recorded in their order, each with its key and its variable")
    func declarations() {
        let declared = read([:]).source.declared
        #expect(declared.map(\.key).first == "a.lifetime" && declared.last?.key == "a.inner.proxies")
        #expect(declared.last?.variable == "DAYLY_A_INNER_PROXIES")
        #expect(
            declared.map(\.fallback.shown).prefix(5) == ["`48h`", "", "`green`", "", "half of `a.whole`"])
    }

    @Test("a default may follow from another setting, whichever is declared first")
    func derived() {
        #expect(read([:]).group.half == 25)
        #expect(read(["a.whole": "10"]).group.half == 5)
        #expect(read(["a.whole": "10", "a.half": "9"]).group.half == 9)
    }

    @Test("all malformed values are found at once, and the defaults stand in for them")
    func problems() {
        let (sample, source) = read(["a.lifetime": "48", "a.colour": "blue", "a.whole": "101", "a.half": "x"])
        #expect(source.problems.map(\.key) == ["a.lifetime", "a.colour", "a.half", "a.whole"])
        #expect(source.problems[1].complaint == "is “blue”; it must be red or green")
        #expect(source.problems[1].remedy == "Set DAYLY_A_COLOUR, or a.colour in the --config file.")
        #expect(sample.lifetime == .hours(48) && sample.colour == .green && sample.whole == 50)
    }

    @Test("a malformed value is not complained about again where another default follows from it")
    func derivedFromMalformed() {
        #expect(read(["a.whole": "-4"]).source.problems.map(\.key) == ["a.whole"])
    }

    @Test("a required setting without a value is missing")
    func missing() {
        let sample = read([:]).group
        #expect(sample.$name.isMissing && sample.name.isEmpty && !sample.$colour.isMissing)
        #expect(ConfigurationProblem(sample.$name, "is missing").remedy == "Give it a name.")
    }

    @Test("a secret is never shown")
    func secrets() {
        let (sample, source) = read(["a.token": "abc"])
        #expect(sample.$token.shown("hunter2") == "**** (7 bytes)")
        #expect(source.problems.first?.complaint == "is 3 bytes long; at least 4 are needed")
    }
}
