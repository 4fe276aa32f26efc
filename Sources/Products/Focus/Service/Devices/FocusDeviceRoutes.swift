import FocusAPI
import DaylyAPI
import FeatureKit
import FocusRules
import Foundation
import HTTPKit
import Hummingbird

/// `/v1/focus/devices`.
struct FocusDeviceRoutes: Sendable {
    let service: FocusDeviceService

    var routes: [Route] {
        [
            Route(.get, "focus/devices", use: list),
            Route(.get, "focus/devices/:id", use: get),
            Route(.put, "focus/devices/:id", use: put),
            Route(.delete, "focus/devices/:id", use: delete),
            Route(.post, "focus/devices/:id/verification", use: verify),
        ]
    }

    private func list(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<FocusDeviceList> {
        let found = try await service.list(for: context.requireUser())
        return ConditionalJSON(
            FocusDeviceList(devices: found.devices.map { FocusDevice($0, at: found.now) }))
    }

    private func get(_ request: Request, _ context: AppContext) async throws -> ConditionalJSON<FocusDevice> {
        let user = try context.requireUser()
        let found = try await service.get(context.requireID("id"), for: user)
        return ConditionalJSON(FocusDevice(found.device, at: found.now))
    }

    private func put(_ request: Request, _ context: AppContext) async throws -> Reply<FocusDevice> {
        let (user, id) = (try context.requireUser(), try context.requireID("id"))
        let body = try await request.decodeJSON(FocusDeviceReport.self, context: context)
        let put = try await service.put(id, try FocusDeviceChange(body), for: user)
        return Reply(FocusDevice(put.device, at: put.now))
    }

    private func delete(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let (user, id) = (try context.requireUser(), try context.requireID("id"))
        try await service.delete(id, for: user)
        return .noContent
    }

    private func verify(
        _ request: Request, _ context: AppContext
    ) async throws -> Reply<FocusVerificationWindow> {
        let (user, id) = (try context.requireUser(), try context.requireID("id"))
        let call = try await request.repeatableCall(context: context)
        let creation = try await service.openWindow(id, for: user, by: call)
        if !creation.isRepeated { FocusSyncMetrics.verifications("opened") }
        return creation.reply { FocusVerificationWindow(from: $0) }
    }
}

extension FocusVerificationWindow {
    init(from began: Instant) {
        self.init(
            windowStartsAt: Date(instant: began),
            windowEndsAt: Date(instant: began + DeviceSetUp.windowSeconds))
    }
}

extension FocusDevice {
    init(_ device: FocusDeviceState, at now: Instant) {
        self.init(
            id: ResourceID(device.id), number: device.number, platform: device.platform.rawValue,
            setup: device.setUp.stage(at: now).rawValue, reason: device.setUp.failure(at: now)?.rawValue,
            status: device.health.status.rawValue, issue: device.health.issue?.rawValue,
            issueHours: device.health.issueHours, verifiedAt: device.verifiedAt.map(Date.init(instant:)),
            lastUnlockAt: device.lastUnlockAt.map(Date.init(instant:)),
            syncedAt: device.syncedAt.map(Date.init(instant:)))
    }
}

extension FocusDeviceChange {
    /// - Throws: 400 that points at the faulty member.
    init(_ body: FocusDeviceReport) throws(Problem) {
        guard let platform = FocusDeviceState.Platform(rawValue: body.platform) else {
            throw .invalidRequest(pointer: "/platform", detail: "must be ios or android")
        }
        if let status = body.status, status != DeviceStatus.broken.rawValue {
            throw .invalidRequest(pointer: "/status", detail: "must be broken")
        }
        self.init(
            platform: platform, setUp: try Self.setUp(body, on: platform), isBroken: body.status != nil,
            issue: try Self.issue(body.issue))
    }

    private static func setUp(
        _ body: FocusDeviceReport, on platform: FocusDeviceState.Platform
    ) throws(Problem) -> SetUpReport? {
        let reason = try reason(body.reason)
        switch body.setup {
        case nil: return nil
        case "in_progress": return .begun
        case "failed":
            guard let reason else {
                throw .invalidRequest(pointer: "/reason", detail: "is needed with the setup failed")
            }
            return .failed(reason)
        case "verified" where platform == .android: return .verified
        default:
            throw .invalidRequest(
                pointer: "/setup", detail: "must be in_progress, failed or, on Android, verified")
        }
    }

    private static func reason(_ text: String?) throws(Problem) -> SetUpFailure? {
        guard let text else { return nil }
        guard let reason = SetUpFailure(rawValue: text), reason != .noEventReceived else {
            throw .invalidRequest(pointer: "/reason", detail: "must be automation_not_created or unknown")
        }
        return reason
    }

    private static func issue(_ text: String?) throws(Problem) -> DeviceIssue? {
        guard let text else { return nil }
        guard let issue = DeviceIssue(rawValue: text), issue != .neverVerified else {
            throw .invalidRequest(
                pointer: "/issue", detail: "must be no_recent_unlocks or app_open_without_recent_unlock")
        }
        return issue
    }
}
