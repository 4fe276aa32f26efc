extension RouteRule {
    /// Following, the feed and temptations. Everybody in a scene has joined Focus.
    static let focusPeople: [RouteRule] = [
        RouteRule("GET /v1/focus/following", .signedIn(200)),
        RouteRule("PUT /v1/focus/following/{member}", .insiders(204)),
        RouteRule("DELETE /v1/focus/following/{member}", .signedIn(204)),
        RouteRule("PUT /v1/focus/following/by-nickname/{nickname}", .signedIn(200)),
        RouteRule("GET /v1/focus/followers", .signedIn(200)),
        RouteRule("DELETE /v1/focus/followers/{member}", .signedIn(204)),
        RouteRule("GET /v1/focus/people/{nickname}", .signedIn(200)),
        RouteRule("GET /v1/focus/feed", .signedIn(200)),
        RouteRule("GET /v1/focus/temptations", .signedIn(200)),
        RouteRule("PUT /v1/focus/temptations", .signedIn(200), .json(#"{"enabled": true}"#)),
    ]
}
