// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody builds it beside the service. The rules are links to those of the service.
let package = Package(
    name: "fold",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "CivilTime", path: "CivilTime"),
        .target(name: "DeviceIntake", dependencies: ["CivilTime"], path: "DeviceIntake"),
        .target(name: "FocusRules", dependencies: ["DeviceIntake"], path: "FocusRules"),
        .executableTarget(
            name: "fold", dependencies: ["FocusRules", "DeviceIntake"], path: ".",
            exclude: ["CivilTime", "DeviceIntake", "FocusRules"], sources: ["main.swift"]),
    ])
