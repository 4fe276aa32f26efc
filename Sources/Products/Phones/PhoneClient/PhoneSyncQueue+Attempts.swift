import DaylyClient
import DaylyAPI
import Foundation

extension PhoneSyncQueue {
    /// Makes one attempt.
    func sync(_ phone: PhoneRecord) async throws {
        // One more tells whether there are more.
        let oldest = try folder.oldest(PhoneSyncLimits.mostEvents + 1)
        var sync = PhoneSync<Message>(
            deviceID: phone.deviceID, clientTime: clock.now, uptime: uptime(), cursor: phone.cursor)
        sync.events = try PhoneSyncSender<Product>.batch(oldest, into: sync)
        machine.begin(
            .init(
                last: sync.events.last?.seq, isPartial: sync.events.count < oldest.count,
                cursor: phone.cursor))
        publish()
        await finish(await send(sync), of: phone.deviceID)
    }

    /// The answer, or the reason why there is none.
    private func send(_ sync: PhoneSync<Message>) async -> Result<Received, DaylyError> {
        do throws(DaylyError) {
            return .success(try await sender.send(sync))
        } catch {
            return .failure(error)
        }
    }

    private func finish(_ result: Result<Received, DaylyError>, of device: ResourceID) async {
        let outcome: PhoneSyncMachine.Outcome
        switch result {
        case .success(let answer): outcome = await take(answer)
        case .failure(let error): outcome = .init(error)
        }
        // A sign-out has deleted the events meanwhile.
        guard !Task.isCancelled else { return }
        keep(machine.finish(outcome, at: clock.monotonic), of: device)
        report(result)
        publish()
    }

    /// Hands over the other phones' events. If the app does not take them, they come again with the next sync.
    private func take(_ answer: Received) async -> PhoneSyncMachine.Outcome {
        var cursor = answer.cursor
        if !answer.others.isEmpty, let takeOthers {
            do { try await takeOthers(answer.others) } catch { cursor = nil }
        }
        return .answered(acknowledged: answer.acknowledged, cursor: cursor, hasMore: answer.hasMore)
    }

    private func keep(_ actions: [PhoneSyncMachine.Action], of device: ResourceID) {
        do {
            // In another process the next user may have signed in meanwhile, whose events have the same numbers.
            guard try folder.phone()?.deviceID == device else { return }
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

    private func report(_ result: Result<Received, DaylyError>) {
        switch result {
        case .success(let answer):
            status.error = nil
            status.syncedAt = answer.serverTime
            publish(answer.synced)
        case .failure(let error): status.error = error
        }
    }
}
