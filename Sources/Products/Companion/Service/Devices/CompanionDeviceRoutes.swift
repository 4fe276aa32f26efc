import CompanionAPI
import DaylyAPI
import FeatureKit
import Foundation
import HTTPKit
import Hummingbird

/// `/v1/companion/devices`.
struct CompanionDeviceRoutes: Sendable {
    let service: CompanionDeviceService

    var routes: [Route] {
        [
            Route(.get, "companion/devices", use: list),
            Route(.delete, "companion/devices/:id", use: delete),
        ]
    }

    private func list(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<CompanionDeviceList> {
        let devices = try await service.list(for: context.requireUser())
        return ConditionalJSON(CompanionDeviceList(devices: devices.map(CompanionDevice.init)))
    }

    private func delete(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let (user, id) = (try context.requireUser(), try context.requireID("id"))
        try await service.delete(id, for: user)
        return .noContent
    }
}

extension CompanionDevice {
    init(_ device: CompanionDeviceState) {
        self.init(
            id: ResourceID(device.id), lastSeq: device.intake.acknowledged,
            syncedAt: Date(instant: device.syncedAt))
    }
}
