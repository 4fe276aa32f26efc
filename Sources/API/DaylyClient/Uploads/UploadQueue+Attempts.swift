import DaylyAPI
import Foundation

extension UploadQueue {
    /// Sends one item: in the background where the system can, else now.
    func send(_ id: UUID) async {
        await fetchTicket(id)
        guard !Task.isCancelled, let machine = machines[id], machine.isDue(at: clock.now) else { return }
        guard let file = folder.picture(of: machine.item) else {
            finish(id, .failed(.pictureMissing))
            return
        }
        apply(id) {
            $0.begin()
            return []
        }
        publish()
        if let background, let ticket = usableTicket(machine.item) {
            guard let request = try? sender.request(for: machine.item, ticket: ticket) else { return }
            return await background.start(request, from: file, id: id)
        }
        await sendNow(id, from: file)
    }

    /// Gets a ticket for the first attempt, so that later ones need no session. Without an answer the attempt goes ahead; a
    /// refusal of the ticket is one of the upload.
    private func fetchTicket(_ id: UUID) async {
        guard let item = machines[id]?.item, usableTicket(item) == nil,
            item.attempts == 0 || background != nil
        else { return }
        do throws(DaylyError) {
            let ticket = try await sender.ticket(for: item)
            apply(id) { $0.receive(ticket) }
        } catch {
            guard case .problem(let problem) = error, problem.status != 429, problem.status < 500 else {
                return
            }
            finish(id, .failed(UploadMachine.Outcome(error, usedTicket: false)))
        }
    }

    private func usableTicket(_ item: UploadItem) -> UploadTicket? {
        item.ticket.flatMap { $0.isUsable(at: clock.now) ? $0 : nil }
    }

    private func sendNow(_ id: UUID, from file: URL) async {
        var isAgain = true
        while isAgain, let item = machines[id]?.item {
            let attempt = Task { [sender, clock] in
                await sender.send(item, from: file, at: clock.now) { progress in
                    Task { await self.progressed(id, progress.fraction) }
                }
            }
            sending = (id, attempt)
            let answer = await withTaskCancellationHandler {
                await attempt.value
            } onCancel: {
                attempt.cancel()
            }
            if sending?.id == id { sending = nil }
            isAgain = finish(id, answer)
        }
    }

    private func progressed(_ id: UUID, _ fraction: Double) {
        apply(id) {
            $0.progress(to: fraction)
            return []
        }
        publish()
    }

    /// Carries out the end of an attempt.
    /// - Returns: whether another attempt follows at once.
    @discardableResult
    func finish(_ id: UUID, _ answer: UploadAnswer) -> Bool {
        guard let item = machines[id]?.item else { return false }
        let outcome: UploadMachine.Outcome =
            switch answer {
            case .accepted: .accepted
            case .failed(let outcome): outcome
            }
        let actions = apply(id) { $0.finish(outcome, at: clock.now, pauses: pauses) }
        if case .accepted(let photo) = answer { publish(Sent(item: item, photo: photo)) }
        publish()
        return actions.contains(.sendAgain)
    }

    // MARK: In the background

    /// Marks the items that the system is sending, so that they are not sent twice. Everything else starts again.
    func resumeBackground() async {
        guard let background else { return }
        var running: Set<UUID>
        var count: Int
        repeat {
            count = results
            running = await background.running()
            // A result that came meanwhile has ended a transfer that the list may still have.
        } while count != results
        for id in running where machines[id]?.item.state == .waiting {
            apply(id) {
                $0.begin()
                return []
            }
        }
    }

    /// Handles a result of the system.
    func finish(_ result: BackgroundResult) async {
        let answer: UploadAnswer
        do throws(DaylyError) {
            switch result.result {
            case .success(let response): answer = try UploadAnswer(response)
            case .failure(let error): throw DaylyError(error)
            }
        } catch {
            // The system cancels, too. The queue itself takes back only what it has forgotten.
            let isCancelled = error == .cancelled
            answer = .failed(isCancelled ? .unanswered : UploadMachine.Outcome(error, usedTicket: true))
        }
        if finish(result.id, answer) {
            // The next attempt gets a new ticket, after a pause, because the service may refuse any number of tickets.
            apply(result.id) { $0.finish(.unanswered, at: clock.now, pauses: pauses) }
        }
        results += 1
        background?.took(result.id)
        resume()
    }
}
