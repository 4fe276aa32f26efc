// Generated from openapi.yaml by scripts/lib/wire.py --write. Do not edit.
// swift-format-ignore-file
import DaylyClient

extension Operation {
    package static let getCompanionSettings = Operation(
        "getCompanionSettings", .get, "/v1/companion/settings", [200], "application/json")
    package static let putCompanionSettings = Operation(
        "putCompanionSettings", .put, "/v1/companion/settings", [200], "application/json")
    package static let leaveCompanion = Operation(
        "leaveCompanion", .delete, "/v1/companion/settings", [204], nil)
    package static let listCompanionDevices = Operation(
        "listCompanionDevices", .get, "/v1/companion/devices", [200], "application/json")
    package static let deleteCompanionDevice = Operation(
        "deleteCompanionDevice", .delete, "/v1/companion/devices/{}", [204], nil)
    package static let scoreCompanionSurvey = Operation(
        "scoreCompanionSurvey", .post, "/v1/companion/survey", [200], "application/json")
    package static let syncCompanion = Operation(
        "syncCompanion", .post, "/v1/companion/sync", [200], "application/json")
    package static let getCompanionToday = Operation(
        "getCompanionToday", .get, "/v1/companion/day", [200], "application/json")
    package static let getCompanionDay = Operation(
        "getCompanionDay", .get, "/v1/companion/days/{}", [200], "application/json")
    package static let listCompanionDiary = Operation(
        "listCompanionDiary", .get, "/v1/companion/diary", [200], "application/json")
    package static let getCompanionTexts = Operation(
        "getCompanionTexts", .get, "/v1/companion/texts", [200], "application/json")
    package static let getCompanionPet = Operation(
        "getCompanionPet", .get, "/v1/companion/pet", [200], "application/json")
    package static let adoptCompanionPet = Operation(
        "adoptCompanionPet", .post, "/v1/companion/pet", [200, 201], "application/json")
    package static let renameCompanionPet = Operation(
        "renameCompanionPet", .patch, "/v1/companion/pet", [200], "application/json")
    package static let feedCompanionPet = Operation(
        "feedCompanionPet", .post, "/v1/companion/pet/feed", [200], "application/json")
    package static let cureCompanionPet = Operation(
        "cureCompanionPet", .post, "/v1/companion/pet/cure", [200], "application/json")
    package static let reviveCompanionPet = Operation(
        "reviveCompanionPet", .post, "/v1/companion/pet/revive", [200], "application/json")
    package static let restartCompanionPet = Operation(
        "restartCompanionPet", .post, "/v1/companion/pet/restart", [200], "application/json")
    package static let putCompanionOutfit = Operation(
        "putCompanionOutfit", .put, "/v1/companion/pet/outfit", [200], "application/json")
    package static let buyCompanionCosmetic = Operation(
        "buyCompanionCosmetic", .post, "/v1/companion/cosmetics/{}", [200], "application/json")
    package static let getCompanionWallet = Operation(
        "getCompanionWallet", .get, "/v1/companion/wallet", [200], "application/json")
    package static let listCompanionLedger = Operation(
        "listCompanionLedger", .get, "/v1/companion/ledger", [200], "application/json")
    package static let getCompanionCatalog = Operation(
        "getCompanionCatalog", .get, "/v1/companion/catalog", [200], "application/json")
    package static let getCompanionFlags = Operation(
        "getCompanionFlags", .get, "/v1/companion/flags", [200], "application/json")
    package static let listCompanionMemorials = Operation(
        "listCompanionMemorials", .get, "/v1/companion/memorials", [200], "application/json")
    package static let deleteCompanionMemorial = Operation(
        "deleteCompanionMemorial", .delete, "/v1/companion/memorials/{}", [204], nil)
    package static let redeemCompanionPurchase = Operation(
        "redeemCompanionPurchase", .post, "/v1/companion/purchases", [200], "application/json")

    package static let allCompanion: [Operation] = [
        .getCompanionSettings,
        .putCompanionSettings,
        .leaveCompanion,
        .listCompanionDevices,
        .deleteCompanionDevice,
        .scoreCompanionSurvey,
        .syncCompanion,
        .getCompanionToday,
        .getCompanionDay,
        .listCompanionDiary,
        .getCompanionTexts,
        .getCompanionPet,
        .adoptCompanionPet,
        .renameCompanionPet,
        .feedCompanionPet,
        .cureCompanionPet,
        .reviveCompanionPet,
        .restartCompanionPet,
        .putCompanionOutfit,
        .buyCompanionCosmetic,
        .getCompanionWallet,
        .listCompanionLedger,
        .getCompanionCatalog,
        .getCompanionFlags,
        .listCompanionMemorials,
        .deleteCompanionMemorial,
        .redeemCompanionPurchase,
    ]
}
