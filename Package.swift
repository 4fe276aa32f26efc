// swift-tools-version: 6.2
import PackageDescription

// The house, bottom to top: System ← Platform ← Features ← Products ← Apps. DaylyAPI imports nothing of ours, and DaylyClient only
// DaylyAPI; the client of a product imports its rules, too. `scripts/lint` fails on an import that is not declared here.
//
// Two kinds of people use this package. Whoever runs the service builds it whole, on Linux: the worker's sandbox needs
// seccomp and memfd. Whoever writes an app depends on DaylyClient with `traits: []` and resolves no other package: every
// dependency stands behind the trait `Server`, and no product for apps uses a target of the server.

/// A product of a package that only the service needs.
func server(_ product: String, of package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Server"]))
}

let log = server("Logging", of: "swift-log")
let metrics = server("Metrics", of: "swift-metrics")
let coreMetrics = server("CoreMetrics", of: "swift-metrics")
let lifecycle = server("ServiceLifecycle", of: "swift-service-lifecycle")
let unixSignals = server("UnixSignals", of: "swift-service-lifecycle")
let crypto = server("Crypto", of: "swift-crypto")
let cryptoExtras = server("CryptoExtras", of: "swift-crypto")
let httpClient = server("AsyncHTTPClient", of: "async-http-client")
let hummingbird = server("Hummingbird", of: "hummingbird")
let hummingbirdCore = server("HummingbirdCore", of: "hummingbird")
let hummingbirdTesting = server("HummingbirdTesting", of: "hummingbird")
let hummingbirdHTTP2 = server("HummingbirdHTTP2", of: "hummingbird")
let httpTypes = server("HTTPTypes", of: "swift-http-types")
let nioEmbedded = server("NIOEmbedded", of: "swift-nio")
let nioCore = server("NIOCore", of: "swift-nio")
let nioPosix = server("NIOPosix", of: "swift-nio")
let nioHTTP1 = server("NIOHTTP1", of: "swift-nio")
let nioFoundation = server("NIOFoundationCompat", of: "swift-nio")
let nioSSL = server("NIOSSL", of: "swift-nio-ssl")
let jwt = server("JWTKit", of: "jwt-kit")
let certificates = server("X509", of: "swift-certificates")
let asn1 = server("SwiftASN1", of: "swift-asn1")
let yams = server("Yams", of: "Yams")
let argumentParser = server("ArgumentParser", of: "swift-argument-parser")

func platform(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/Platform/\(name)")
}

/// - Parameter folder: below Sources.
func feature(_ name: String, in folder: String? = nil, uses dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name,
        dependencies: ["DaylyAPI", "FeatureKit", "HTTPKit", "Postgres", "Settings", hummingbird]
            + dependencies,
        path: "Sources/\(folder ?? "Features/\(name)")")
}

/// - Parameter folder: below Tests.
func tests(_ name: String, in folder: String, uses dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: ["DaylyTesting"] + dependencies,
        path: "Tests/\(folder)/\(name)Tests")
}

let package = Package(
    name: "dayly",
    platforms: [.macOS(.v15), .iOS(.v16)],
    products: [
        // For apps.
        .library(name: "DaylyAPI", targets: ["DaylyAPI"]),
        .library(name: "DaylyClient", targets: ["DaylyClient", "DaylyAPI"]),
        .library(name: "DaylyClientTesting", targets: ["DaylyClientTesting"]),
        .library(name: "FocusClient", targets: ["FocusClient", "FocusAPI", "PhoneClient"]),
        .library(name: "FocusClientTesting", targets: ["FocusClientTesting"]),
        .library(name: "CompanionClient", targets: ["CompanionClient", "CompanionAPI", "PhoneClient"]),
        .library(name: "CompanionClientTesting", targets: ["CompanionClientTesting"]),
        // The service, for Linux.
        .executable(name: "dayly", targets: ["dayly"]),
        .executable(name: "photo-worker", targets: ["photo-worker"]),
    ],
    traits: [
        .trait(
            name: "Server", description: "The service. Apps leave it out: `traits: []`."),
        .default(enabledTraits: ["Server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.18.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
    ],
    targets: [
        // System: C.
        .systemLibrary(
            name: "CPostgres", path: "Sources/System/CPostgres", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .systemLibrary(
            name: "CZlib", path: "Sources/System/CZlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(name: "CProcess", path: "Sources/System/CProcess"),
        // The embedded files.
        .target(name: "CResources", path: "Sources/System/CResources"),
        .target(
            name: "CImageCodecs", path: "Sources/System/CImageCodecs",
            // The codecs' glue is the hot path of every upload: optimised in debug builds too.
            cSettings: [.unsafeFlags(["-O2"])],
            linkerSettings: ["jpeg", "png", "webp", "webpdemux", "lcms2", "z", "m"].map {
                .linkedLibrary($0)
            }),
        .target(
            name: "CSandbox", path: "Sources/System/CSandbox",
            linkerSettings: [.linkedLibrary("seccomp")]),
        .target(
            name: "CPhoneNumbers", path: "Sources/System/CPhoneNumbers",
            linkerSettings: [.linkedLibrary("phonenumber")]),

        // Platform: cut by technology, no product words.
        // One declaration per setting: key, form, default and meaning; pure.
        platform("Settings", uses: []),
        // Keys for one purpose each from the secrets in force; pure.
        platform("KeyDerivation", uses: [crypto]),
        // Days of the calendar as numbers; pure.
        platform("CivilTime", uses: []),
        // Bounded places, turns, growing pauses and circuit breakers; pure.
        platform("Resilience", uses: []),
        platform(
            "Postgres", uses: ["CPostgres", "CivilTime", "Resilience", crypto, log, metrics, lifecycle]),
        platform("OutboundHTTP", uses: ["Resilience", httpClient, nioCore, nioPosix, nioHTTP1, nioSSL]),
        platform(
            "ObjectStorage",
            uses: [
                "Settings", "OutboundHTTP", "KeyDerivation", "CivilTime", "Resilience", nioCore, nioPosix,
                nioHTTP1,
                nioSSL, nioFoundation, crypto, log, metrics,
            ]),
        // What the photo worker does; only it and the fuzz target use it, so that no server links a codec.
        platform("PhotoDecoding", uses: ["CImageCodecs", "CProcess"]),
        platform("PhotoWorkers", uses: ["Settings", "Resilience", "CProcess", nioCore, log, metrics]),
        platform(
            "Messaging",
            uses: ["Settings", "OutboundHTTP", "Resilience", nioCore, nioHTTP1, lifecycle, log, metrics]),
        platform(
            "HTTPKit",
            uses: [
                "DaylyAPI", "CivilTime", "Resilience", hummingbird, hummingbirdCore, httpTypes, nioCore,
                nioHTTP1,
                crypto, log, metrics,
            ]),
        // Protects connections: admission, limits and deadlines, before the router sees a request.
        platform(
            "HTTPGuard",
            uses: [
                "HTTPKit", "DaylyAPI", "Resilience", hummingbird, hummingbirdCore, nioCore, nioHTTP1, log,
                metrics,
            ]),
        platform(
            "Push",
            uses: [
                "Settings", "OutboundHTTP", "Resilience", nioCore, nioHTTP1, nioSSL, jwt, crypto, log,
                metrics,
            ]),
        platform("Jobs", uses: ["Postgres", "Resilience", lifecycle, log, metrics]),
        platform("RateLimiting", uses: ["Settings", "Postgres", "KeyDerivation", metrics]),
        platform(
            "Restoration",
            uses: [
                "Settings", "Postgres", "ObjectStorage", "KeyDerivation", "Resilience", crypto, nioCore,
                lifecycle,
                log, metrics,
            ]),
        // The terminal and the failures of commands, and the service as the command of a product sees it.
        platform("CommandKit", uses: ["Postgres", "Push", "Settings", argumentParser]),
        // The protocol of features, and the technology that the composition root gives them.
        platform(
            "FeatureKit",
            uses: [
                "DaylyAPI", "HTTPKit", "Postgres", "ObjectStorage", "Messaging", "Jobs", "RateLimiting",
                "KeyDerivation", "Restoration", lifecycle, log, metrics,
            ]),
        platform("PhoneNumbers", uses: ["CPhoneNumbers"]),
        platform("Telemetry", uses: [coreMetrics]),

        // API: what clients see.
        .target(name: "DaylyAPI", path: "Sources/API/DaylyAPI"),
        // The SDK. Foundation only: it is compiled for iOS 16, macOS and Linux.
        .target(
            name: "DaylyClient", dependencies: ["DaylyAPI"], path: "Sources/API/DaylyClient",
            resources: [.copy("PrivacyInfo.xcprivacy")]),
        // Doubles for an app's own tests and previews.
        .target(
            name: "DaylyClientTesting", dependencies: ["DaylyClient", "DaylyAPI"],
            path: "Sources/API/DaylyClientTesting"),
        .executableTarget(
            name: "dayly-client", dependencies: ["DaylyClient", "DaylyAPI"], path: "Examples/dayly-client"),

        // Features: a folder, a target.
        feature(
            "Auth",
            uses: [
                "KeyDerivation", "CivilTime", "PhoneNumbers", "RateLimiting", "Resilience", "Messaging",
                "Jobs",
                "Restoration", jwt, crypto, lifecycle, log, metrics,
            ]),
        feature(
            "Groups",
            uses: [
                "KeyDerivation", "Auth", "RateLimiting", "Messaging", "Jobs", "Restoration", lifecycle,
                log, metrics,
            ]),
        feature(
            "Notifications",
            uses: ["Auth", "Groups", "Push", "Jobs", "Restoration", lifecycle, crypto, log, metrics]),
        feature("Analytics", uses: ["RateLimiting", lifecycle, log]),
        feature(
            "DailyPhotos", in: "Products/Photos",
            uses: [
                "KeyDerivation", "Auth", "Groups", "Notifications", "ObjectStorage", "PhotoWorkers", "Jobs",
                "RateLimiting", "Resilience", "Restoration", lifecycle, nioCore, crypto, log, metrics,
            ]),

        feature("Events", uses: ["Auth", "Groups", lifecycle, nioCore, log, metrics]),
        // Used by Focus and Companion. It orders the events that phones report, and finds their times; pure.
        .target(
            name: "DeviceIntake", dependencies: ["CivilTime"], path: "Sources/Products/Phones/DeviceIntake"),
        // Signed transactions and notifications of the App Store.
        .target(
            name: "StoreReceipts",
            dependencies: ["Settings", "KeyDerivation", jwt, certificates, asn1],
            path: "Sources/Products/Phones/StoreReceipts"),
        // The form of what phones report, for the services of both.
        .target(
            name: "PhoneService", dependencies: ["DeviceIntake", "CivilTime", "HTTPKit", "Postgres"],
            path: "Sources/Products/Phones/PhoneService"),
        // The queue of a phone's events, for the clients of both.
        .target(
            name: "PhoneClient", dependencies: ["DaylyClient", "DaylyAPI"],
            path: "Sources/Products/Phones/PhoneClient"),

        .target(name: "FocusAPI", dependencies: ["DaylyAPI"], path: "Sources/Products/Focus/API"),
        .target(
            name: "FocusClient",
            dependencies: ["DaylyClient", "DaylyAPI", "FocusAPI", "PhoneClient", "FocusRules"],
            path: "Sources/Products/Focus/Client", resources: [.copy("PrivacyInfo.xcprivacy")]),
        .target(
            name: "FocusClientTesting",
            dependencies: ["DaylyClientTesting", "DaylyClient", "DaylyAPI", "FocusAPI", "FocusClient"],
            path: "Sources/Products/Focus/ClientTesting"),
        // The rules of Focus without a database, a clock or Foundation.
        .target(
            name: "FocusRules", dependencies: ["DeviceIntake"], path: "Sources/Products/Focus/Rules"),
        .target(
            name: "CFocusTexts", path: "Sources/Products/Focus/Texts",
            exclude: ["en.json", "de.json", "quips.en.json"]),
        feature(
            "Focus", in: "Products/Focus/Service",
            uses: [
                "KeyDerivation", "CivilTime", "Auth", "Groups", "Notifications", "Jobs", "RateLimiting",
                "Restoration", "DeviceIntake", "PhoneService", "StoreReceipts", "FocusRules", "FocusAPI",
                "CFocusTexts", "CommandKit", argumentParser, lifecycle, metrics,
            ]),

        .target(name: "CompanionAPI", dependencies: ["DaylyAPI"], path: "Sources/Products/Companion/API"),
        .target(
            name: "CompanionClient",
            dependencies: [
                "DaylyClient", "DaylyAPI", "CompanionAPI", "PhoneClient", "CompanionRules", "DeviceIntake",
            ],
            path: "Sources/Products/Companion/Client", resources: [.copy("PrivacyInfo.xcprivacy")]),
        .target(
            name: "CompanionClientTesting",
            dependencies: [
                "DaylyClientTesting", "DaylyClient", "DaylyAPI", "CompanionAPI", "CompanionClient",
            ],
            path: "Sources/Products/Companion/ClientTesting"),
        // The rules of Companion without a database, a clock or Foundation.
        .target(
            name: "CompanionRules", dependencies: ["DeviceIntake"], path: "Sources/Products/Companion/Rules"),
        .target(
            name: "CCompanionTexts", path: "Sources/Products/Companion/Texts",
            exclude: ["README.md", "en.json", "de.json"]),
        feature(
            "Companion", in: "Products/Companion/Service",
            uses: [
                "KeyDerivation", "CivilTime", "Analytics", "Auth", "Notifications", "Jobs", "RateLimiting",
                "Restoration", "DeviceIntake", "PhoneService", "StoreReceipts", "CompanionRules",
                "CompanionAPI", "CCompanionTexts", "CommandKit", argumentParser, lifecycle, metrics,
            ]),

        // Apps: the composition root, the command, the decoder's own process.
        .target(
            name: "DaylyServer",
            dependencies: [
                "DaylyAPI", "HTTPKit", "HTTPGuard", "Postgres", "ObjectStorage", "OutboundHTTP",
                "PhotoWorkers",
                "Messaging",
                "Jobs", "FeatureKit", "CommandKit",
                "RateLimiting", "Restoration", "Telemetry", "Push", "KeyDerivation",
                "Auth", "Groups", "Notifications", "DailyPhotos", "Analytics", "Events", "Focus",
                "Companion",
                "StoreReceipts",
                "Settings",
                "CProcess", "CResources", "CZlib",
                hummingbird,
                nioCore, nioPosix, nioHTTP1, lifecycle, unixSignals, log, metrics, coreMetrics,
                crypto, httpTypes, yams, argumentParser,
            ],
            path: "Sources/Apps/DaylyServer",
            exclude: ["openapi.yaml", "Pages/invitation.en.json", "Pages/invitation.de.json"]),
        .executableTarget(
            name: "dayly",
            dependencies: [
                "DaylyServer", "Auth", "CommandKit", "DailyPhotos", "Restoration", "Settings", argumentParser,
                log,
            ],
            path: "Sources/Apps/dayly"),
        .executableTarget(
            name: "photo-worker", dependencies: ["PhotoDecoding", "CProcess", "CSandbox"],
            path: "Sources/Apps/photo-worker",
            // Started once per photo: without the runtime's shared libraries it starts in half the time.
            linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(platforms: [.linux]))]),

        // Tests.
        .target(
            name: "DaylyTesting",
            dependencies: [
                "Auth", "FeatureKit", "Groups", "HTTPKit", "KeyDerivation", "Messaging", "ObjectStorage",
                "Postgres", "RateLimiting", hummingbird, hummingbirdCore, lifecycle, nioCore, nioPosix,
                httpTypes, crypto, log,
            ],
            path: "Tests/DaylyTesting"),
        .target(
            name: "PushTesting",
            dependencies: [
                "Push", "DaylyTesting", hummingbird, hummingbirdCore, hummingbirdHTTP2, nioCore, nioSSL, jwt,
                crypto, cryptoExtras,
            ],
            path: "Tests/PushTesting"),
        tests("Settings", in: "Platform", uses: ["Settings"]),
        tests("KeyDerivation", in: "Platform", uses: ["KeyDerivation"]),
        tests("CivilTime", in: "Platform", uses: ["CivilTime"]),
        tests(
            "DaylyClient", in: "API",
            uses: [
                "DaylyClient", "DaylyClientTesting", "DaylyAPI", "ClientFixtures", "ProgramTesting",
                "dayly-client", nioCore,
            ]),
        // Shared by the tests of clients: a scripted service, a real one, and a session that is always signed in.
        .target(
            name: "ClientFixtures",
            dependencies: [
                "DaylyClient", "DaylyClientTesting", "DaylyAPI", "DaylyTesting", "ProgramTesting",
            ],
            path: "Tests/ClientFixtures"),
        tests(
            "FocusClient", in: "Products/Focus",
            uses: [
                "FocusClient", "FocusClientTesting", "FocusAPI", "PhoneClient", "DaylyClient",
                "DaylyClientTesting", "DaylyAPI", "ClientFixtures",
            ]),
        tests(
            "CompanionClient", in: "Products/Companion",
            uses: [
                "CompanionClient", "CompanionClientTesting", "CompanionAPI", "PhoneClient", "DaylyClient",
                "DaylyClientTesting", "DaylyAPI", "ClientFixtures", "StoreTesting",
            ]),
        tests("Resilience", in: "Platform", uses: ["Resilience"]),
        tests("Postgres", in: "Platform", uses: ["Postgres", log]),
        tests("OutboundHTTP", in: "Platform", uses: ["OutboundHTTP", nioCore, nioHTTP1, nioSSL]),
        tests(
            "ObjectStorage", in: "Platform",
            uses: ["ObjectStorage", "Resilience", httpClient, nioCore, crypto, log]),
        .target(
            name: "CImageFixtures", path: "Tests/CImageFixtures",
            // It makes and compares megapixels in every run.
            cSettings: [.unsafeFlags(["-O2"])],
            linkerSettings: ["jpeg", "png", "heif", "webp", "lcms2", "z"].map { .linkedLibrary($0) }),
        // A worker that a picture has taken over: started by tests, never linked; a test build makes it.
        .executableTarget(
            name: "hostile-worker", dependencies: ["CProcess", "CSandbox"], path: "Tests/HostileWorker",
            linkerSettings: [.linkedLibrary("seccomp")]),
        tests(
            "PhotoWorkers", in: "Platform",
            uses: ["PhotoWorkers", "PhotoDecoding", "CImageFixtures", nioCore, log]),
        tests(
            "Messaging", in: "Platform",
            uses: ["Messaging", "Resilience", hummingbird, lifecycle, nioCore, log]),
        tests("Push", in: "Platform", uses: ["Push", "PushTesting", crypto, log]),
        tests("Jobs", in: "Platform", uses: ["Jobs", "Postgres", lifecycle, log]),
        .target(
            name: "HTTPTesting",
            dependencies: [
                "DaylyTesting", "FeatureKit", "HTTPKit", "DaylyAPI", "Postgres", hummingbird,
                hummingbirdTesting, httpTypes, nioCore,
            ],
            path: "Tests/HTTPTesting"),
        tests(
            "HTTPKit", in: "Platform",
            uses: [
                "HTTPKit", "HTTPTesting", "DaylyAPI", "Telemetry", hummingbird, hummingbirdTesting, nioCore,
                metrics,
            ]),
        tests(
            "HTTPGuard", in: "Platform",
            uses: [
                "HTTPGuard", "HTTPKit", "HTTPTesting", hummingbird, hummingbirdTesting, nioCore, nioPosix,
                nioHTTP1, nioEmbedded, log,
            ]),
        tests("RateLimiting", in: "Platform", uses: ["RateLimiting", "KeyDerivation", "Postgres"]),
        tests(
            "Restoration", in: "Platform",
            uses: ["Restoration", "KeyDerivation", "ObjectStorage", "Postgres", nioCore, log]),
        tests("PhoneNumbers", in: "Platform", uses: ["PhoneNumbers"]),
        tests("Telemetry", in: "Platform", uses: ["Telemetry", coreMetrics]),
        tests(
            "Auth", in: "Features",
            uses: [
                "FeatureKit", "Auth", "HTTPTesting", "KeyDerivation", "DaylyAPI", "Messaging", "RateLimiting",
                "HTTPKit", "Postgres", jwt,
                crypto, hummingbird, hummingbirdTesting, nioCore, log,
            ]),
        tests(
            "Groups", in: "Features",
            uses: [
                "FeatureKit", "Groups", "Auth", "HTTPTesting", "Messaging", "RateLimiting", "HTTPKit",
                "Postgres",
                "DaylyAPI", hummingbird,
                hummingbirdTesting, httpTypes, log,
            ]),
        tests(
            "Notifications", in: "Features",
            uses: [
                "FeatureKit", "Notifications", "PushTesting", "HTTPTesting", "Push", "Jobs", "DailyPhotos",
                "Groups", "Auth", "Messaging", "Postgres", hummingbirdTesting, log,
            ]),
        tests(
            "Analytics", in: "Features",
            uses: [
                "Analytics", "Auth", "HTTPTesting", "DaylyAPI", "RateLimiting", "Postgres",
                hummingbirdTesting, log,
            ]),
        tests(
            "DailyPhotos", in: "Products/Photos",
            uses: [
                "FeatureKit", "DailyPhotos", "Notifications", "Push", "Groups", "Auth", "PhotoWorkers",
                "ObjectStorage",
                "RateLimiting", "KeyDerivation",
                "Postgres", lifecycle, nioCore, log,
            ]),
        tests(
            "Events", in: "Features",
            uses: [
                "FeatureKit", "Events", "Groups", "Auth", "DaylyAPI", "HTTPKit", "Postgres", log,
            ]),
        tests("DeviceIntake", in: "Products/Phones", uses: ["DeviceIntake", "CivilTime"]),
        // An App Store for tests, with an authority of its own.
        .target(
            name: "StoreTesting",
            dependencies: ["StoreReceipts", "KeyDerivation", certificates, asn1, crypto],
            path: "Tests/Products/Phones/StoreTesting"),
        tests(
            "StoreReceipts", in: "Products/Phones",
            uses: ["StoreReceipts", "StoreTesting", "KeyDerivation", crypto]),
        tests(
            "CompanionRules", in: "Products/Companion", uses: ["CompanionRules", "DeviceIntake", "CivilTime"]),
        tests(
            "Companion", in: "Products/Companion",
            uses: [
                "FeatureKit", "Companion", "CompanionAPI", "CompanionRules", "DeviceIntake", "CivilTime",
                "StoreReceipts",
                "StoreTesting", "Notifications", "PushTesting", "Push", "Groups", "Auth", "Restoration",
                "HTTPTesting", "HTTPKit", "DaylyAPI", "KeyDerivation",
                "Postgres", hummingbird, hummingbirdTesting, httpTypes,
            ]),
        tests("FocusRules", in: "Products/Focus", uses: ["FocusRules", "DeviceIntake", "CivilTime"]),
        tests(
            "Focus", in: "Products/Focus",
            uses: [
                "FeatureKit", "Focus", "FocusAPI", "FocusRules", "CFocusTexts", "StoreReceipts",
                "StoreTesting",
                "Notifications",
                "PushTesting", "Push", "Groups", "Auth", "HTTPTesting", "HTTPKit", "DaylyAPI",
                "KeyDerivation", "Postgres", hummingbird, hummingbirdTesting, httpTypes,
            ]),
        tests(
            "DaylyServer", in: "Apps",
            uses: [
                "CResources", "Settings", "FeatureKit", "HTTPTesting", "DaylyServer", "DaylyAPI", "Auth",
                "DailyPhotos",
                "Events",
                "Groups", "HTTPKit",
                "Messaging",
                "ObjectStorage", "PhotoWorkers", "KeyDerivation", "Postgres", "Restoration", "StoreTesting",
                hummingbird, hummingbirdTesting, httpTypes, httpClient, lifecycle, nioCore, nioPosix, log,
                yams,
            ]),
        // An app that sends photos or a phone's events and is killed at each step: started by tests, never linked.
        .executableTarget(
            name: "queue-sender", dependencies: ["DaylyClient", "DaylyAPI", "FocusClient", "FocusAPI"],
            path: "Tests/QueueSender"),
        // Tests of the programs themselves: these are started, not linked; a test build makes them.
        .target(
            name: "ProgramTesting", dependencies: ["DaylyTesting", httpClient, httpTypes, nioCore],
            path: "Tests/ProgramTesting"),
        .target(
            name: "Faults",
            dependencies: [
                "ProgramTesting", "DaylyTesting", "PushTesting", "StoreTesting", "DaylyAPI", "CompanionAPI",
                "FocusAPI", "ObjectStorage",
                "Postgres", nioCore, crypto, log,
            ],
            path: "Tests/Faults"),
        .executableTarget(
            name: "fault-harness", dependencies: ["Faults", argumentParser], path: "Tests/FaultHarness"),
        .testTarget(
            name: "FaultTests",
            dependencies: ["Faults", "ProgramTesting", "DaylyTesting", "fault-harness"],
            path: "Tests/Apps/FaultTests"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "ProgramTesting", "DaylyTesting", "PushTesting", "DaylyAPI", "ObjectStorage", "Postgres",
                hummingbird, httpClient, nioCore, log,
            ],
            path: "Tests/Apps/EndToEndTests"),
    ]
)
