import DaylyAPI
import Foundation

extension FocusSyncQueue {
    /// Makes one attempt.
    func sync(_ phone: FocusSyncPhone) async throws {
        let most = FocusSyncSender.mostEvents
        // One more tells whether there are more.
        let oldest = try folder.oldest(most + 1)
        var sync = FocusSync(
            deviceID: phone.deviceID.description, clientTime: clock.now, events: [], cursor: phone.cursor)
        let uptime = uptime()
        (sync.bootID, sync.uptime) = (uptime?.bootID, uptime?.seconds)
        sync.events = try FocusSyncSender.batch(oldest, into: sync)
        machine.begin(
            .init(
                last: sync.events.last?.seq, isPartial: sync.events.count < oldest.count,
                cursor: phone.cursor))
        publish()
        await finish(await send(sync))
    }

    /// The answer, or the reason why there is none.
    private func send(_ sync: FocusSync) async -> Result<FocusSyncAnswer, DaylyError> {
        do throws(DaylyError) {
            return .success(try await sender.send(sync))
        } catch {
            return .failure(error)
        }
    }

    private func finish(_ result: Result<FocusSyncAnswer, DaylyError>) async {
        let outcome: FocusSyncMachine.Outcome
        switch result {
        case .success(let answer): outcome = await take(answer)
        case .failure(let error): outcome = .init(error)
        }
        // A sign-out has deleted the events meanwhile.
        guard !Task.isCancelled else { return }
        keep(machine.finish(outcome, at: clock.monotonic))
        report(result)
        publish()
    }

    /// Hands over the other phones' events. If the app does not take them, they come again with the next sync.
    private func take(_ answer: FocusSyncAnswer) async -> FocusSyncMachine.Outcome {
        var cursor: String? = answer.cursor
        if !answer.others.isEmpty, let takeOthers {
            do { try await takeOthers(answer.others) } catch { cursor = nil }
        }
        return .answered(acknowledged: answer.acknowledged, cursor: cursor, hasMore: answer.hasMore)
    }

    private func keep(_ actions: [FocusSyncMachine.Action]) {
        do {
            for action in actions {
                switch action {
                case .acknowledge(let seq): try folder.acknowledge(seq)
                case .move(let cursor): try folder.update { $0.cursor = cursor }
                }
            }
        } catch {
            machine.giveUp(at: clock.monotonic)
        }
    }

    private func report(_ result: Result<FocusSyncAnswer, DaylyError>) {
        switch result {
        case .success(let answer):
            status.error = nil
            status.syncedAt = answer.serverTime
            publish(
                FocusSynced(
                    now: answer.now, serverTime: answer.serverTime,
                    rejected: answer.rejected.map { .init(seq: $0.seq, reason: $0.reason) }))
        case .failure(let error): status.error = error
        }
    }
}
