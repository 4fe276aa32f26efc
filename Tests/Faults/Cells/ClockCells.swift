import DaylyTesting
import Foundation
import ProgramTesting

/// PostgreSQL's clock jumps by 48 hours and comes back: no photo is deleted, and nobody's day is taken.
struct ClockJump: Sendable {
    let stage: Stage

    func run() async throws {
        guard let server = stage.world.server else { throw ProxyError(description: "the server is not ours") }
        let (group, other) = (try await stage.group(), try await stage.group())
        await stage.ada.upload(to: group, key: "before", at: stage.url)
        try server.setClock(daysAhead: 2)
        try await waitForLog("nothing is deleted")
        let sweep = try await stage.instance.run("sweep", "--once")
        if sweep.status != 1 { broken("a sweep by a clock that jumped ended with \(sweep)") }
        // Tokens go by PostgreSQL's clock, too.
        await stage.ada.refresh(stage.ada.refreshToken, at: stage.url)
        let refused = await stage.ada.upload(to: other, key: "during", at: stage.url)
        if refused.status != 503 { broken("an upload by a clock that jumped was answered \(refused)") }

        try server.setClock(daysAhead: 0)
        try await waitForLog("agree again")
        await stage.ada.refresh(stage.ada.refreshToken, at: stage.url)
        _ = try await stage.persist("an upload after the jump", within: .seconds(20)) {
            await stage.ada.upload(to: other, key: "after", at: stage.url)
        }
        for group in [group, other] { await stage.look(at: group, by: [stage.ben]) }
    }

    private func waitForLog(_ words: String) async throws {
        try await eventually("the log to say: \(words)", within: .seconds(30)) {
            stage.instance.log.contains(words)
        }
    }

    private func broken(_ text: String) {
        stage.world.history.note(.broken(invariant: 3, text))
    }
}
