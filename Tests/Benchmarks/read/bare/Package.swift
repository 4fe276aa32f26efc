// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody builds it beside the service.
let package = Package(
    name: "bare",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0")],
    targets: [
        .executableTarget(
            name: "bare", dependencies: [.product(name: "Hummingbird", package: "hummingbird")], path: ".",
            exclude: ["Package.resolved"], sources: ["main.swift"])
    ])
