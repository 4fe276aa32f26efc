import Auth
import DaylyAPI
import FeatureKit
import Foundation
import Groups
import HTTPKit
import Postgres
import ServiceLifecycle

/// Streams that show members the changes in their groups as they happen.
package struct EventsFeature: Feature {
    private let service: EventService
    private let authenticator: Authenticator

    /// - Parameters:
    ///   - authenticator: says which sessions have ended, so that their streams end.
    ///   - photos: finds the photos that have not expired, as every member sees them.
    package init(
        _ settings: EventSettings, platform: Platform, authenticator: Authenticator, log: GroupLogStore,
        cursors: GroupCursors,
        photos: @escaping @Sendable ([UUID]) async throws -> [DaylyAPI.Photo]
    ) {
        service = EventService(
            log: log, cursors: cursors, photos: photos,
            hub: EventHub(settings: settings), settings: settings, logger: platform.logger)
        self.authenticator = authenticator
    }

    package var routes: [Route] { EventRoutes(events: service).routes }

    package var jobs: [any Service] { [EventPump(service: service, authenticator: authenticator)] }

    /// Ends all streams. Call it at shutdown, because streams do not end by themselves.
    package func endStreams() async {
        if service.settings.endsGradually {
            await service.hub.closeGradually()
        } else {
            service.hub.close()
        }
    }
}
