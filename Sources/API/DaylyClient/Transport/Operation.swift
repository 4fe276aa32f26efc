/// The calls of the service, named as in its `openapi.yaml`. A test compares the two.
package enum Operation: String, CaseIterable, Sendable {
    case requestVerification, verify, refresh, logout, listSessions, endOtherSessions, endSession
    case getUser, updateUser, deleteUser, exportUser, listBlocks, blockUser, unblockUser
    case listGroups, createGroup, getGroup, renameGroup, leaveGroup, removeMember, muteGroup
    case listGroupInvites, checkUsers, sendInvites, listReceivedInvites, revokeInvite, redeemInvite
    case listPhotos, sendPhoto, listTodaysPhotos, createUploadTicket, getPhoto, deletePhoto
    case streamEvents, registerDevice, unregisterDevice, getWebPushKey, countEvents
    case getLiveness, getReadiness, getDescription

    // Focus.
    case getFocusProfile, putFocusProfile, leaveFocus
    case listFocusDevices, getFocusDevice, putFocusDevice, deleteFocusDevice, verifyFocusDevice
    case syncFocus, getFocusNow, listFocusWeeks, getFocusWeek, getFocusDay, rateFocusDay
    case getFocusBoard, getFocusLeague
    case listFocusFollowing, listFocusFollowers, followFocusUser, unfollowFocusUser, followFocusNickname
    case removeFocusFollower
    case getFocusNickname, getFocusFeed, getFocusTemptations, putFocusTemptations
    case listFocusSessions, startFocusSession, getFocusSession, endFocusSession, getFocusStats
    case listFocusSchedules, createFocusSchedule, replaceFocusSchedule, deleteFocusSchedule
    case listFocusIntentions, createFocusIntention, replaceFocusIntention, deleteFocusIntention,
        freezeFocusDay
    case listFocusPartners, askFocusPartner, endFocusPartner, acceptFocusPartner
    case finishFocusTutorial, getFocusQuip, redeemFocusPro

    // Companion.
    case getCompanionSettings, putCompanionSettings, leaveCompanion
    case listCompanionDevices, deleteCompanionDevice, scoreCompanionSurvey, syncCompanion
    case getCompanionToday, getCompanionDay, listCompanionDiary, getCompanionTexts, getCompanionFlags
    case getCompanionPet, renameCompanionPet, adoptCompanionPet, feedCompanionPet
    case cureCompanionPet, reviveCompanionPet, restartCompanionPet, putCompanionOutfit
    case listCompanionMemorials, deleteCompanionMemorial
    case getCompanionCatalog, buyCompanionCosmetic, getCompanionWallet, listCompanionLedger
    case redeemCompanionPurchase

    package var method: TransportRequest.Method { route.method }

    /// With `{}` in the place of each parameter.
    package var path: String { route.path }

    /// Whether a request may be sent again when it got no answer: sending it twice has the effect of sending it once. A
    /// refresh token gives the same child until that child is used, a code is redeemed again by its member, and an upload
    /// has its idempotency key, like everything that Focus and Companion make.
    package var isIdempotent: Bool {
        switch self {
        case .requestVerification, .verify, .createGroup, .checkUsers, .sendInvites, .countEvents: false
        default: true
        }
    }

    private var route: (method: TransportRequest.Method, path: String) {
        switch self {
        case .requestVerification: (.post, "/v1/auth/request-verification")
        case .verify: (.post, "/v1/auth/verify")
        case .refresh: (.post, "/v1/auth/refresh")
        case .logout: (.post, "/v1/auth/logout")
        case .listSessions: (.get, "/v1/auth/sessions")
        case .endOtherSessions: (.delete, "/v1/auth/sessions")
        case .endSession: (.delete, "/v1/auth/sessions/{}")
        case .getUser: (.get, "/v1/users/me")
        case .updateUser: (.patch, "/v1/users/me")
        case .deleteUser: (.delete, "/v1/users/me")
        case .exportUser: (.get, "/v1/users/me/export")
        case .listBlocks: (.get, "/v1/users/me/blocks")
        case .blockUser: (.post, "/v1/users/{}/block")
        case .unblockUser: (.delete, "/v1/users/{}/block")
        case .listGroups: (.get, "/v1/groups")
        case .createGroup: (.post, "/v1/groups")
        case .getGroup: (.get, "/v1/groups/{}")
        case .renameGroup: (.put, "/v1/groups/{}")
        case .leaveGroup: (.delete, "/v1/groups/{}")
        case .removeMember: (.delete, "/v1/groups/{}/members/{}")
        case .muteGroup: (.put, "/v1/groups/{}/mute")
        case .listGroupInvites: (.get, "/v1/groups/{}/invites")
        case .checkUsers: (.post, "/v1/invites/check-users")
        case .sendInvites: (.post, "/v1/invites/send")
        case .listReceivedInvites: (.get, "/v1/invites")
        case .revokeInvite: (.delete, "/v1/invites/{}")
        case .redeemInvite: (.post, "/v1/invites/redeem")
        case .listPhotos: (.get, "/v1/groups/{}/photos")
        case .sendPhoto: (.post, "/v1/groups/{}/photos")
        case .listTodaysPhotos: (.get, "/v1/groups/{}/photos/today")
        case .createUploadTicket: (.post, "/v1/groups/{}/upload-tickets")
        case .getPhoto: (.get, "/v1/photos/{}")
        case .deletePhoto: (.delete, "/v1/photos/{}")
        case .streamEvents: (.get, "/v1/events")
        case .registerDevice: (.post, "/v1/devices/register")
        case .unregisterDevice: (.delete, "/v1/devices/{}")
        case .getWebPushKey: (.get, "/v1/push/web-key")
        case .countEvents: (.post, "/v1/analytics/events")
        case .getLiveness: (.get, "/healthz")
        case .getReadiness: (.get, "/readyz")
        case .getDescription: (.get, "/openapi.yaml")
        default: companionRoute ?? focusRoute
        }
    }
}

extension Operation {
    /// The operation that a request calls; nil for a request that goes elsewhere, such as to a signed URL.
    package static func of(_ request: TransportRequest) -> Operation? {
        let asked = request.url.path.split(separator: "/")
        return allCases.first { operation in
            let parts = operation.path.split(separator: "/")
            return operation.method == request.method && parts.count == asked.count
                && zip(parts, asked).allSatisfy { $0 == $1 || $0 == "{}" && !fixedParts.contains($1) }
        }
    }

    /// They stand where another path has a parameter.
    private static let fixedParts: Set<Substring> = ["me", "check-users", "send", "redeem"]
}
