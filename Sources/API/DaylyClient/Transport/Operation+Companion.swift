extension Operation {
    /// The route of a call of Companion; nil for other calls.
    var companionRoute: (method: TransportRequest.Method, path: String)? {
        guard let (method, path) = companionDayRoute ?? companionPetRoute ?? companionShopRoute else {
            return nil
        }
        return (method, "/v1/companion" + path)
    }

    private typealias Route = (TransportRequest.Method, String)

    /// Settings, phones and the day.
    private var companionDayRoute: Route? {
        switch self {
        case .getCompanionSettings: (.get, "/settings")
        case .putCompanionSettings: (.put, "/settings")
        case .leaveCompanion: (.delete, "/settings")
        case .listCompanionDevices: (.get, "/devices")
        case .deleteCompanionDevice: (.delete, "/devices/{}")
        case .scoreCompanionSurvey: (.post, "/survey")
        case .syncCompanion: (.post, "/sync")
        case .getCompanionToday: (.get, "/day")
        case .getCompanionDay: (.get, "/days/{}")
        case .listCompanionDiary: (.get, "/diary")
        case .getCompanionTexts: (.get, "/texts")
        case .getCompanionFlags: (.get, "/flags")
        default: nil
        }
    }

    private var companionPetRoute: Route? {
        switch self {
        case .getCompanionPet: (.get, "/pet")
        case .renameCompanionPet: (.patch, "/pet")
        case .adoptCompanionPet: (.post, "/pet")
        case .feedCompanionPet: (.post, "/pet/feed")
        case .cureCompanionPet: (.post, "/pet/cure")
        case .reviveCompanionPet: (.post, "/pet/revive")
        case .restartCompanionPet: (.post, "/pet/restart")
        case .putCompanionOutfit: (.put, "/pet/outfit")
        case .listCompanionMemorials: (.get, "/memorials")
        case .deleteCompanionMemorial: (.delete, "/memorials/{}")
        default: nil
        }
    }

    private var companionShopRoute: Route? {
        switch self {
        case .getCompanionCatalog: (.get, "/catalog")
        case .buyCompanionCosmetic: (.post, "/cosmetics/{}")
        case .getCompanionWallet: (.get, "/wallet")
        case .listCompanionLedger: (.get, "/ledger")
        case .redeemCompanionPurchase: (.post, "/purchases")
        default: nil
        }
    }
}
