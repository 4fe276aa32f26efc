extension RouteRule {
    /// The calls of Companion. Everybody in a scene has joined, and sees their own companion alone.
    static let companion: [RouteRule] = companionDays + companionPets + companionShop

    /// Pets and wallets. Each account of a scene has a sick pet, energy and gems.
    private static let companionPets: [RouteRule] = [
        RouteRule("GET /v1/companion/pet", .signedIn(200)),
        RouteRule(
            "POST /v1/companion/pet", .signedIn(409), .keyedJSON(#"{"species": "cat", "name": "Momo"}"#)),
        RouteRule("PATCH /v1/companion/pet", .signedIn(200), .json(#"{"name": "Momo"}"#)),
        RouteRule("POST /v1/companion/pet/feed", .signedIn(200), .keyedJSON(#"{"item_id": "dinner"}"#)),
        RouteRule("POST /v1/companion/pet/cure", .signedIn(200), .keyedJSON("{}")),
        RouteRule("POST /v1/companion/pet/revive", .signedIn(409), .keyedJSON("{}")),
        RouteRule(
            "POST /v1/companion/pet/restart", .signedIn(409),
            .keyedJSON(#"{"species": "cat", "name": "Momo"}"#)),
        RouteRule("PUT /v1/companion/pet/outfit", .signedIn(200), .json(#"{"items": []}"#)),
        RouteRule("GET /v1/companion/wallet", .signedIn(200)),
        RouteRule("GET /v1/companion/ledger", .signedIn(200)),
        RouteRule("GET /v1/companion/memorials", .signedIn(200)),
        RouteRule("DELETE /v1/companion/memorials/{memorial}", .insiders(204)),
    ]

    /// Settings, days, phones, texts and the survey.
    private static let companionDays: [RouteRule] = [
        RouteRule("GET /v1/companion/settings", .signedIn(200)),
        RouteRule(
            "PUT /v1/companion/settings", .signedIn(200), .json(#"{"consent": "1", "limit_minutes": 120}"#)),
        RouteRule("DELETE /v1/companion/settings", .signedIn(204)),
        RouteRule("GET /v1/companion/day", .signedIn(200)),
        // No account has this day.
        RouteRule("GET /v1/companion/days/{day}", .signedIn(404)),
        RouteRule("GET /v1/companion/devices", .signedIn(200)),
        RouteRule("DELETE /v1/companion/devices/{phone}", .insiders(204)),
        RouteRule("GET /v1/companion/diary", .signedIn(200)),
        RouteRule("GET /v1/companion/texts", .signedIn(200)),
        RouteRule(
            "POST /v1/companion/sync", .signedIn(200),
            .json(
                #"{"device_id": "0198a6e0-0000-7000-8000-000000000001", "client_time": "2026-03-02T12:00:00Z", "events": []}"#
            )),
        RouteRule(
            "POST /v1/companion/survey", .signedIn(200),
            .json(
                #"{"use": 2, "dependence": 2, "sleep": 2, "without_phone": 2, "idle": 2, "age": "25_34"}"#)),
    ]

    /// Everything that is sold.
    private static let companionShop: [RouteRule] = [
        RouteRule("GET /v1/companion/catalog", .signedIn(200)),
        RouteRule("GET /v1/companion/flags", .signedIn(200)),
        RouteRule(
            "POST /v1/companion/cosmetics/{cosmetic}", .signedIn(200), .keyedJSON(#"{"currency": "energy"}"#)),
        RouteRule(
            "POST /v1/companion/purchases", .signedIn(422), .json(#"{"signed_transaction": "nonsense"}"#)),
        // The App Store has no session. Its signature is the authority.
        RouteRule(
            "POST /v1/companion/store-notifications", .open(400), .json(#"{"signedPayload": "nonsense"}"#)),
    ]
}
