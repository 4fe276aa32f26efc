// Generated from openapi.yaml by scripts/lib/wire.py --write. Do not edit.
// swift-format-ignore-file

extension Operation {
    package static let requestVerification = Operation(
        "requestVerification", .post, "/v1/auth/request-verification", [202], "application/json")
    package static let verify = Operation(
        "verify", .post, "/v1/auth/verify", [200], "application/json")
    package static let refresh = Operation(
        "refresh", .post, "/v1/auth/refresh", [200], "application/json")
    package static let logout = Operation(
        "logout", .post, "/v1/auth/logout", [204], nil)
    package static let listSessions = Operation(
        "listSessions", .get, "/v1/auth/sessions", [200], "application/json")
    package static let endOtherSessions = Operation(
        "endOtherSessions", .delete, "/v1/auth/sessions", [204], nil)
    package static let endSession = Operation(
        "endSession", .delete, "/v1/auth/sessions/{}", [204], nil)
    package static let getUser = Operation(
        "getUser", .get, "/v1/users/me", [200], "application/json")
    package static let updateUser = Operation(
        "updateUser", .patch, "/v1/users/me", [200], "application/json")
    package static let deleteUser = Operation(
        "deleteUser", .delete, "/v1/users/me", [204], nil)
    package static let exportUser = Operation(
        "exportUser", .get, "/v1/users/me/export", [200], "application/json")
    package static let streamEvents = Operation(
        "streamEvents", .get, "/v1/events", [200], "text/event-stream")
    package static let registerDevice = Operation(
        "registerDevice", .post, "/v1/devices/register", [204], nil)
    package static let getWebPushKey = Operation(
        "getWebPushKey", .get, "/v1/push/web-key", [200], "application/json")
    package static let unregisterDevice = Operation(
        "unregisterDevice", .delete, "/v1/devices/{}", [204], nil)
    package static let countEvents = Operation(
        "countEvents", .post, "/v1/analytics/events", [204], nil)
    package static let listBlocks = Operation(
        "listBlocks", .get, "/v1/users/me/blocks", [200], "application/json")
    package static let blockUser = Operation(
        "blockUser", .post, "/v1/users/{}/block", [204], nil)
    package static let unblockUser = Operation(
        "unblockUser", .delete, "/v1/users/{}/block", [204], nil)
    package static let listGroups = Operation(
        "listGroups", .get, "/v1/groups", [200], "application/json")
    package static let createGroup = Operation(
        "createGroup", .post, "/v1/groups", [201], "application/json")
    package static let getGroup = Operation(
        "getGroup", .get, "/v1/groups/{}", [200], "application/json")
    package static let renameGroup = Operation(
        "renameGroup", .put, "/v1/groups/{}", [200], "application/json")
    package static let leaveGroup = Operation(
        "leaveGroup", .delete, "/v1/groups/{}", [204], nil)
    package static let removeMember = Operation(
        "removeMember", .delete, "/v1/groups/{}/members/{}", [204], nil)
    package static let muteGroup = Operation(
        "muteGroup", .put, "/v1/groups/{}/mute", [204], nil)
    package static let listGroupInvites = Operation(
        "listGroupInvites", .get, "/v1/groups/{}/invites", [200], "application/json")
    package static let checkUsers = Operation(
        "checkUsers", .post, "/v1/invites/check-users", [200], "application/json")
    package static let sendInvites = Operation(
        "sendInvites", .post, "/v1/invites/send", [200], "application/json")
    package static let listReceivedInvites = Operation(
        "listReceivedInvites", .get, "/v1/invites", [200], "application/json")
    package static let revokeInvite = Operation(
        "revokeInvite", .delete, "/v1/invites/{}", [204], nil)
    package static let redeemInvite = Operation(
        "redeemInvite", .post, "/v1/invites/redeem", [200], "application/json")
    package static let listPhotos = Operation(
        "listPhotos", .get, "/v1/groups/{}/photos", [200], "application/json")
    package static let sendPhoto = Operation(
        "sendPhoto", .post, "/v1/groups/{}/photos", [201, 200], "application/json")
    package static let listTodaysPhotos = Operation(
        "listTodaysPhotos", .get, "/v1/groups/{}/photos/today", [200], "application/json")
    package static let createUploadTicket = Operation(
        "createUploadTicket", .post, "/v1/groups/{}/upload-tickets", [201], "application/json")
    package static let getPhoto = Operation(
        "getPhoto", .get, "/v1/photos/{}", [200], "application/json")
    package static let deletePhoto = Operation(
        "deletePhoto", .delete, "/v1/photos/{}", [204], nil)
    package static let getLiveness = Operation(
        "getLiveness", .get, "/healthz", [200], "application/json")
    package static let getReadiness = Operation(
        "getReadiness", .get, "/readyz", [200], "application/json")
    package static let getDescription = Operation(
        "getDescription", .get, "/openapi.yaml", [200], "application/yaml")

    package static let all: [Operation] = [
        .requestVerification,
        .verify,
        .refresh,
        .logout,
        .listSessions,
        .endOtherSessions,
        .endSession,
        .getUser,
        .updateUser,
        .deleteUser,
        .exportUser,
        .streamEvents,
        .registerDevice,
        .getWebPushKey,
        .unregisterDevice,
        .countEvents,
        .listBlocks,
        .blockUser,
        .unblockUser,
        .listGroups,
        .createGroup,
        .getGroup,
        .renameGroup,
        .leaveGroup,
        .removeMember,
        .muteGroup,
        .listGroupInvites,
        .checkUsers,
        .sendInvites,
        .listReceivedInvites,
        .revokeInvite,
        .redeemInvite,
        .listPhotos,
        .sendPhoto,
        .listTodaysPhotos,
        .createUploadTicket,
        .getPhoto,
        .deletePhoto,
        .getLiveness,
        .getReadiness,
        .getDescription,
    ]
}
