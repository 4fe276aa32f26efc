// Generated from openapi.yaml by scripts/lib/wire.py --write. Do not edit.
// swift-format-ignore-file
import DaylyClient

extension Operation {
    package static let getFocusProfile = Operation(
        "getFocusProfile", .get, "/v1/focus/profile", [200], "application/json")
    package static let putFocusProfile = Operation(
        "putFocusProfile", .put, "/v1/focus/profile", [200], "application/json")
    package static let leaveFocus = Operation(
        "leaveFocus", .delete, "/v1/focus/profile", [204], nil)
    package static let listFocusDevices = Operation(
        "listFocusDevices", .get, "/v1/focus/devices", [200], "application/json")
    package static let getFocusDevice = Operation(
        "getFocusDevice", .get, "/v1/focus/devices/{}", [200], "application/json")
    package static let putFocusDevice = Operation(
        "putFocusDevice", .put, "/v1/focus/devices/{}", [200], "application/json")
    package static let deleteFocusDevice = Operation(
        "deleteFocusDevice", .delete, "/v1/focus/devices/{}", [204], nil)
    package static let verifyFocusDevice = Operation(
        "verifyFocusDevice", .post, "/v1/focus/devices/{}/verification", [200, 201], "application/json")
    package static let syncFocus = Operation(
        "syncFocus", .post, "/v1/focus/sync", [200], "application/json")
    package static let getFocusNow = Operation(
        "getFocusNow", .get, "/v1/focus/now", [200], "application/json")
    package static let listFocusWeeks = Operation(
        "listFocusWeeks", .get, "/v1/focus/weeks", [200], "application/json")
    package static let getFocusWeek = Operation(
        "getFocusWeek", .get, "/v1/focus/weeks/{}", [200], "application/json")
    package static let getFocusDay = Operation(
        "getFocusDay", .get, "/v1/focus/days/{}", [200], "application/json")
    package static let rateFocusDay = Operation(
        "rateFocusDay", .put, "/v1/focus/days/{}/rating", [200], "application/json")
    package static let getFocusQuip = Operation(
        "getFocusQuip", .get, "/v1/focus/quips", [200], "application/json")
    package static let listFocusSessions = Operation(
        "listFocusSessions", .get, "/v1/focus/sessions", [200], "application/json")
    package static let startFocusSession = Operation(
        "startFocusSession", .post, "/v1/focus/sessions", [200, 201], "application/json")
    package static let getFocusSession = Operation(
        "getFocusSession", .get, "/v1/focus/sessions/{}", [200], "application/json")
    package static let endFocusSession = Operation(
        "endFocusSession", .post, "/v1/focus/sessions/{}/end", [200], "application/json")
    package static let getFocusStats = Operation(
        "getFocusStats", .get, "/v1/focus/stats", [200], "application/json")
    package static let listFocusSchedules = Operation(
        "listFocusSchedules", .get, "/v1/focus/schedules", [200], "application/json")
    package static let createFocusSchedule = Operation(
        "createFocusSchedule", .post, "/v1/focus/schedules", [200, 201], "application/json")
    package static let replaceFocusSchedule = Operation(
        "replaceFocusSchedule", .put, "/v1/focus/schedules/{}", [200], "application/json")
    package static let deleteFocusSchedule = Operation(
        "deleteFocusSchedule", .delete, "/v1/focus/schedules/{}", [204], nil)
    package static let listFocusIntentions = Operation(
        "listFocusIntentions", .get, "/v1/focus/intentions", [200], "application/json")
    package static let createFocusIntention = Operation(
        "createFocusIntention", .post, "/v1/focus/intentions", [200, 201], "application/json")
    package static let replaceFocusIntention = Operation(
        "replaceFocusIntention", .put, "/v1/focus/intentions/{}", [200], "application/json")
    package static let deleteFocusIntention = Operation(
        "deleteFocusIntention", .delete, "/v1/focus/intentions/{}", [204], nil)
    package static let freezeFocusDay = Operation(
        "freezeFocusDay", .post, "/v1/focus/freeze", [200, 201], "application/json")
    package static let listFocusPartners = Operation(
        "listFocusPartners", .get, "/v1/focus/partners", [200], "application/json")
    package static let askFocusPartner = Operation(
        "askFocusPartner", .put, "/v1/focus/partners/{}", [204], nil)
    package static let endFocusPartner = Operation(
        "endFocusPartner", .delete, "/v1/focus/partners/{}", [204], nil)
    package static let acceptFocusPartner = Operation(
        "acceptFocusPartner", .post, "/v1/focus/partners/{}/accept", [204], nil)
    package static let finishFocusTutorial = Operation(
        "finishFocusTutorial", .post, "/v1/focus/tutorial", [200], "application/json")
    package static let redeemFocusPro = Operation(
        "redeemFocusPro", .post, "/v1/focus/pro", [200], "application/json")
    package static let getFocusBoard = Operation(
        "getFocusBoard", .get, "/v1/focus/groups/{}/board", [200], "application/json")
    package static let getFocusLeague = Operation(
        "getFocusLeague", .get, "/v1/focus/league", [200], "application/json")
    package static let listFocusFollowing = Operation(
        "listFocusFollowing", .get, "/v1/focus/following", [200], "application/json")
    package static let followFocusUser = Operation(
        "followFocusUser", .put, "/v1/focus/following/{}", [204], nil)
    package static let unfollowFocusUser = Operation(
        "unfollowFocusUser", .delete, "/v1/focus/following/{}", [204], nil)
    package static let followFocusNickname = Operation(
        "followFocusNickname", .put, "/v1/focus/following/by-nickname/{}", [200], "application/json")
    package static let listFocusFollowers = Operation(
        "listFocusFollowers", .get, "/v1/focus/followers", [200], "application/json")
    package static let removeFocusFollower = Operation(
        "removeFocusFollower", .delete, "/v1/focus/followers/{}", [204], nil)
    package static let getFocusNickname = Operation(
        "getFocusNickname", .get, "/v1/focus/people/{}", [200], "application/json")
    package static let getFocusFeed = Operation(
        "getFocusFeed", .get, "/v1/focus/feed", [200], "application/json")
    package static let getFocusTemptations = Operation(
        "getFocusTemptations", .get, "/v1/focus/temptations", [200], "application/json")
    package static let putFocusTemptations = Operation(
        "putFocusTemptations", .put, "/v1/focus/temptations", [200], "application/json")

    package static let allFocus: [Operation] = [
        .getFocusProfile,
        .putFocusProfile,
        .leaveFocus,
        .listFocusDevices,
        .getFocusDevice,
        .putFocusDevice,
        .deleteFocusDevice,
        .verifyFocusDevice,
        .syncFocus,
        .getFocusNow,
        .listFocusWeeks,
        .getFocusWeek,
        .getFocusDay,
        .rateFocusDay,
        .getFocusQuip,
        .listFocusSessions,
        .startFocusSession,
        .getFocusSession,
        .endFocusSession,
        .getFocusStats,
        .listFocusSchedules,
        .createFocusSchedule,
        .replaceFocusSchedule,
        .deleteFocusSchedule,
        .listFocusIntentions,
        .createFocusIntention,
        .replaceFocusIntention,
        .deleteFocusIntention,
        .freezeFocusDay,
        .listFocusPartners,
        .askFocusPartner,
        .endFocusPartner,
        .acceptFocusPartner,
        .finishFocusTutorial,
        .redeemFocusPro,
        .getFocusBoard,
        .getFocusLeague,
        .listFocusFollowing,
        .followFocusUser,
        .unfollowFocusUser,
        .followFocusNickname,
        .listFocusFollowers,
        .removeFocusFollower,
        .getFocusNickname,
        .getFocusFeed,
        .getFocusTemptations,
        .putFocusTemptations,
    ]
}
