// Sends photos by the upload queue, or a phone's events by the queue of Focus, and ends when nothing waits any more. Tests
// start it and let it end itself by SIGKILL at a step of its work, as a phone's system ends an app.
//
//     queue-sender URL TOKEN FOLDER STEP [PICTURE GROUP…]
//     queue-sender URL TOKEN FOLDER STEP focus [MINUTES…]
//
// STEP is the number of the step at which it ends, or 0. With `focus` it registers the phone and reports a screen time of so
// many minutes in one event each. Exit status 3: an item or the queue has stopped.
import FocusClient
import FocusAPI
import DaylyAPI
import DaylyClient
import Foundation

/// Counts the steps of this process, and ends it at the last one.
struct Steps: Sendable {
    let last: Int
    private let count = Locked(0)

    init(last: Int) {
        self.last = last
    }

    func next() {
        let isLast = count.withLock { count in
            count += 1
            return count == last
        }
        if isLast { kill(getpid(), SIGKILL) }
    }
}

/// Time that runs twenty times as fast: a service that is still busy with a killed upload asks for a wait of 30 s.
struct FastClock: ClientClock {
    private let began = (date: Date(), instant: ContinuousClock.now)

    var monotonic: Duration { (ContinuousClock.now - began.instant) * 20 }
    var now: Date { began.date.addingTimeInterval(monotonic / .seconds(1)) }

    func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration / 20)
    }
}

/// The network, whose requests and answers are steps too.
struct SteppingTransport: HTTPTransport {
    let transport = URLSessionTransport()
    let steps: Steps

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        steps.next()
        let response = try await transport.send(request)
        steps.next()
        return response
    }

    func stream(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
        try await transport.stream(request)
    }

    func upload(
        _ request: TransportRequest, from file: URL, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(TransportError) -> TransportResponse {
        steps.next()
        let response = try await transport.upload(request, from: file) { part in
            steps.next()
            progress(part)
        }
        steps.next()
        return response
    }
}

/// A session with one token.
struct OneToken: AuthorizedTransport {
    let transport: SteppingTransport
    let token: String

    func send(
        _ request: TransportRequest, isIdempotent: Bool
    ) async throws(DaylyError) -> TransportResponse {
        let response: TransportResponse
        do { response = try await transport.send(authorized(request)) } catch { throw DaylyError(error) }
        try request.check(response)
        return response
    }

    func stream(_ request: TransportRequest) async throws(DaylyError) -> TransportStream {
        throw .cancelled
    }

    func upload(
        _ request: TransportRequest, from file: URL, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(DaylyError) -> TransportResponse {
        let response: TransportResponse
        do {
            response = try await transport.upload(authorized(request), from: file, progress: progress)
        } catch {
            throw DaylyError(error)
        }
        try request.check(response)
        return response
    }

    private func authorized(_ request: TransportRequest) -> TransportRequest {
        var request = request
        request.headers["Authorization"] = "Bearer \(token)"
        return request
    }
}

@main
enum QueueSender {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 4, let url = URL(string: arguments[1]), let last = Int(arguments[4]) else {
            print("usage: queue-sender URL TOKEN FOLDER STEP [PICTURE GROUP… | focus MINUTES…]")
            exit(2)
        }
        let steps = Steps(last: last)
        let transport = SteppingTransport(steps: steps)
        let user = ResourceID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
        let requests = RequestBuilder(baseURL: url)
        let authorized = OneToken(transport: transport, token: arguments[2])
        let folder = URL(fileURLWithPath: arguments[3])
        if arguments.count > 5, arguments[5] == "focus" {
            let queue = FocusSyncQueue(
                FocusPhones.self,
                folder: folder, requests: requests, authorized: authorized, clock: FastClock(),
                onStep: { _ in steps.next() }, user: { () throws(DaylyError) in user })
            return try await report(arguments[6...].compactMap { Int($0) }, by: queue, requests, authorized)
        }
        let queue = UploadQueue(
            folder: folder, requests: requests, transport: transport, authorized: authorized,
            clock: FastClock(), onStep: { _ in steps.next() }, user: { () throws(DaylyError) in user })
        if arguments.count > 6 {
            let groups = arguments[6...].compactMap(UUID.init).map { ResourceID($0) }
            let picture = try Data(contentsOf: URL(fileURLWithPath: arguments[5]))
            _ = try await queue.enqueue(photo: picture, groups: groups)
            tell("queued")
        } else {
            await queue.resume()
        }
        try await end(queue)
    }

    /// Unbuffered, because the process may end at the next step.
    private static func tell(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// Waits until nothing waits any more.
    private static func end(_ queue: UploadQueue) async throws {
        for await items in queue.items {
            if let stopped = items.first(where: { $0.state == .stopped || $0.state == .signedOut }) {
                print("\(stopped.id) has stopped: \(stopped.problem?.rawValue ?? "signed out")")
                exit(3)
            }
            if items.isEmpty { break }
        }
        await queue.settle()
    }

    // MARK: Focus

    private static func report(
        _ minutes: [Int], by queue: FocusSyncQueue, _ requests: RequestBuilder, _ authorized: OneToken
    ) async throws {
        let id = try await queue.device()
        tell("device \(id)")
        let report = FocusDeviceReport(platform: "android", setup: "verified")
        let request = try requests.request(.putFocusDevice, path: [id.description], json: report)
        _ = try await authorized.send(request, isIdempotent: true)
        // Yesterday, because the service rejects a report about a later day than the event's own.
        let day = Date(timeIntervalSinceNow: -86_400).formatted(
            Date.ISO8601FormatStyle().year().month().day())
        for number in minutes {
            let seq = try await queue.record(.usage(day: day, minutes: number))
            tell("recorded \(seq) \(number)")
        }
        await queue.resume()
        for await status in queue.statuses {
            if case .stopped(let stop) = status.state {
                print("The queue has stopped: \(stop)")
                exit(3)
            }
            if status.state == .idle && status.pending == 0 { break }
        }
        await queue.settle()
    }
}
