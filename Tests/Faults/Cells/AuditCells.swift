import DaylyTesting
import Foundation
import NIOCore
import ObjectStorage
import ProgramTesting

/// kill -9 of `dayly audit` before each of its requests to the store: what goes on from there ends as if nothing had
/// happened.
struct AuditKilling: Sendable {
    /// More than one page of a listing.
    private static let orphans = 1_050

    let stage: Stage

    func run() async throws {
        let auditor = try stage.world.instance()
        try await makeOrphans()
        // Seen for the first time: rclone's dates are of today.
        try await auditor.run("audit")
        try await stage.world.ageSightings()
        let whole = try await auditor.run("audit", "--json").count(of: "orphan_object")
        guard whole == Self.orphans else {
            throw ProxyError(description: "\(whole ?? 0) of \(Self.orphans) orphans were found")
        }
        var step = 1
        while try await kill(auditor, at: step) {
            let resumed = try await auditor.run("audit", "--resume", "--json").count(of: "orphan_object")
            if resumed != whole {
                broken("an audit that was cut off found \(resumed ?? 0) of \(Self.orphans)")
            }
            step += 1
        }
        stage.world.history.tell("killed before each of \(step - 1) requests")
        guard step > 3 else { throw ProxyError(description: "an audit of \(step - 1) requests is none") }

        // In the middle of mending, too.
        _ = try await kill(auditor, at: step - 2, "--delete")
        try await auditor.run("audit", "--resume", "--delete")
        try await auditor.run("sweep", "--once")
        let left = try await stage.world.keys().count
        if left > 0 { broken("\(left) objects that no row knew are left") }
    }

    private func broken(_ text: String) {
        stage.world.history.note(.broken(invariant: 3, text))
    }

    private func makeOrphans() async throws {
        let bucket = stage.world.bucket
        try await withThrowingTaskGroup(of: Void.self) { puts in
            for number in 0..<Self.orphans {
                if number >= 16 { try await puts.next() }
                let key = try ObjectKey("photos/orphan-\(number).jpg")
                puts.addTask {
                    try await bucket.put(key, ByteBuffer(string: "x"), contentType: "image/jpeg")
                }
            }
            try await puts.waitForAll()
        }
    }

    /// False when the audit ended untouched.
    private func kill(_ auditor: Instance, at step: Int, _ flags: String...) async throws -> Bool {
        let trap = Trap(step: step, .before, on: [.store])
        auditor.board.set(trap)
        let child = try auditor.launch(["audit"] + flags)
        let task = Task<Void, Never> { _ = try? await child.waitForExit(within: .seconds(60)) }
        let isHeld = try await holds(trap, task)
        auditor.board.set(nil)
        try await child.kill9()
        trap.release(.drop)
        await task.value
        try await stage.world.endLeasesOfAudits()
        return isHeld
    }
}
