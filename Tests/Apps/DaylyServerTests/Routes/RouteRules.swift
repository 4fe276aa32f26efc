import Foundation
import NIOCore

/// The callers that a route admits, and the answer that they get.
enum Access: Sendable {
    /// Anybody: a token is not looked at.
    case open(Int)
    /// Whoever is signed in.
    case signedIn(Int)
    /// Callers who may see the thing that path or body names: members, senders, owners.
    case insiders(Int)

    var status: Int {
        switch self {
        case .open(let status), .signedIn(let status), .insiders(let status): status
        }
    }
}

/// A route, a call of it with nothing wrong but perhaps who makes it, and who may. Names in braces are what a `Reach`
/// fills in.
struct RouteRule: Sendable {
    enum Body: Sendable {
        case none
        case json(String)
        /// With an `Idempotency-Key`, which the call needs.
        case keyedJSON(String)
        case picture
    }

    let method: String
    let path: String
    let access: Access
    let body: Body

    init(_ call: String, _ access: Access, _ body: Body = .none) {
        let parts = call.split(separator: " ")
        method = String(parts[0])
        path = String(parts[1])
        self.access = access
        self.body = body
    }

    /// Method and template, the parameters without their names.
    var name: String { Self.name(method, path) }

    static func name(_ method: String, _ path: String) -> String {
        let parts = path.prefix { $0 != "?" }.split(separator: "/").map { part in
            part.hasPrefix("{") || part.hasPrefix(":") || part == "**" ? "{}" : String(part)
        }
        return "\(method) /\(parts.joined(separator: "/"))"
    }
}

/// The things that a call names.
struct Reach: Sendable {
    var values: [String: String]

    func fill(_ text: String) -> String {
        values.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}

extension RouteRule {
    /// Every route that is served. A new one fails the matrix until it stands here.
    static let all: [RouteRule] =
        [
            RouteRule(
                "POST /v1/auth/request-verification", .open(202), .json(#"{"phone_number": "+14155550123"}"#)),
            RouteRule(
                "POST /v1/auth/verify", .open(401),
                .json(#"{"verification_id": "0198a6e0-0000-7000-8000-000000000001", "code": "123456"}"#)),
            RouteRule("POST /v1/auth/refresh", .open(401), .json(#"{"refresh_token": "nonsense"}"#)),
            RouteRule("POST /v1/auth/logout", .open(204), .json(#"{"refresh_token": "nonsense"}"#)),
            RouteRule("GET /healthz", .open(200)),
            RouteRule("GET /readyz", .open(200)),
            RouteRule("GET /openapi.yaml", .open(200)),
            RouteRule("GET /i/{code}", .open(200)),
            // Without an app configured.
            RouteRule("GET /.well-known/apple-app-site-association", .open(404)),
            RouteRule("GET /.well-known/assetlinks.json", .open(404)),
            RouteRule("GET /problems/{problem}", .open(200)),
            RouteRule("GET /", .open(200)),
            RouteRule("GET /sw.js", .open(200)),
            RouteRule("GET /manifest.webmanifest", .open(200)),
            RouteRule("GET /icons/{icon}", .open(200)),
            // The service does not serve this version.
            RouteRule("GET /app/{version}/{module}", .open(404)),
            // A file asks for its signature, not for a token.
            RouteRule("GET /files/{file}", .open(404)),

            RouteRule("GET /v1/auth/sessions", .signedIn(200)),
            RouteRule("DELETE /v1/auth/sessions", .signedIn(204)),
            RouteRule("DELETE /v1/auth/sessions/{session}", .insiders(204)),
            RouteRule("GET /v1/users/me", .signedIn(200)),
            RouteRule("PATCH /v1/users/me", .signedIn(200), .json(#"{"first_name": "Grace"}"#)),
            RouteRule("DELETE /v1/users/me", .signedIn(204)),
            RouteRule("GET /v1/users/me/export", .signedIn(200)),
            RouteRule(
                "POST /v1/devices/register", .signedIn(204),
                .json(
                    #"{"device_token": "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", "platform": "ios"}"#
                )),
            // Messages to browsers are not configured here.
            RouteRule("GET /v1/push/web-key", .signedIn(404)),
            // One's own alone: DeviceTests.
            RouteRule("DELETE /v1/devices/{device}", .signedIn(204)),
            RouteRule(
                "POST /v1/analytics/events", .signedIn(204), .json(#"{"events": [{"name": "app_opened"}]}"#)),

            // Events are not pumped here, so that the stream ends right after its beginning.
            RouteRule("GET /v1/events", .signedIn(200)),
            RouteRule("GET /v1/users/me/blocks", .signedIn(200)),
            // Everybody whom the caller has met may be blocked: BlockTests.
            RouteRule("POST /v1/users/{member}/block", .signedIn(204)),
            RouteRule("DELETE /v1/users/{member}/block", .signedIn(204)),

            RouteRule("GET /v1/groups", .signedIn(200)),
            RouteRule(
                "POST /v1/groups", .signedIn(201),
                .json(#"{"name": "Lunch", "member_phone_numbers": ["+14155550123"]}"#)),
            RouteRule("GET /v1/groups/{group}", .insiders(200)),
            RouteRule("PUT /v1/groups/{group}", .insiders(200), .json(#"{"name": "Supper"}"#)),
            RouteRule("DELETE /v1/groups/{group}", .insiders(204)),
            RouteRule("DELETE /v1/groups/{group}/members/{member}", .insiders(204)),
            RouteRule("PUT /v1/groups/{group}/mute", .insiders(204), .json(#"{"muted": true}"#)),
            RouteRule("GET /v1/groups/{group}/invites", .insiders(200)),

            RouteRule("GET /v1/invites", .signedIn(200)),
            RouteRule(
                "POST /v1/invites/check-users", .signedIn(200),
                .json(#"{"phone_numbers": ["+14155550123"]}"#)),
            RouteRule(
                "POST /v1/invites/send", .insiders(200),
                .json(#"{"group_id": "{group}", "phone_numbers": ["+14155550123"]}"#)),
            RouteRule("DELETE /v1/invites/{invite}", .insiders(204)),
            RouteRule("POST /v1/invites/redeem", .signedIn(404), .json(#"{"code": "ABC234"}"#)),

            RouteRule("POST /v1/groups/{group}/photos", .insiders(201), .picture),
            RouteRule("GET /v1/groups/{group}/photos", .insiders(200)),
            RouteRule("GET /v1/groups/{group}/photos/today", .insiders(200)),
            RouteRule(
                "POST /v1/groups/{group}/upload-tickets", .insiders(201),
                .json(#"{"idempotency_key": "matrix"}"#)),
            RouteRule("GET /v1/photos/{photo}", .insiders(200)),
            RouteRule("DELETE /v1/photos/{photo}", .insiders(204)),
        ] + focusMeasuring + focusActs + focusPeople + companion
}

extension RouteRule {
    /// The calls of Focus about phones, days, boards and leagues. Owners of scenes take part in Focus.
    private static let focusMeasuring: [RouteRule] = [
        RouteRule("GET /v1/focus/profile", .signedIn(200)),
        RouteRule("PUT /v1/focus/profile", .signedIn(200), .json(#"{"consent": "1"}"#)),
        RouteRule("DELETE /v1/focus/profile", .signedIn(204)),
        RouteRule("GET /v1/focus/devices", .signedIn(200)),
        RouteRule("GET /v1/focus/devices/{phone}", .insiders(200)),
        // An id is a user's own: two users may have the same one.
        RouteRule("PUT /v1/focus/devices/{phone}", .signedIn(200), .json(#"{"platform": "ios"}"#)),
        RouteRule("DELETE /v1/focus/devices/{phone}", .signedIn(204)),
        RouteRule("POST /v1/focus/devices/{phone}/verification", .insiders(201)),
        RouteRule(
            "POST /v1/focus/sync", .insiders(200),
            .json(
                #"{"device_id": "{phone}", "client_time": "2026-03-02T12:00:00Z", "events": [{"seq": 1, "kind": "lock", "#
                    + #""source": "manual", "at": "2026-03-02T12:00:00Z"}]}"#)),
        RouteRule("GET /v1/focus/now", .signedIn(200)),
        RouteRule("GET /v1/focus/weeks", .signedIn(200)),
        RouteRule("GET /v1/focus/weeks/{monday}", .signedIn(200)),
        RouteRule("GET /v1/focus/days/{day}", .signedIn(200)),
        // A day without screen time.
        RouteRule("PUT /v1/focus/days/{day}/rating", .signedIn(404), .json(#"{"rating": "up"}"#)),
        RouteRule("GET /v1/focus/quips?minutes=30", .signedIn(200)),
        RouteRule("GET /v1/focus/groups/{group}/board", .insiders(200)),
        // Without a seat.
        RouteRule("GET /v1/focus/league", .signedIn(404)),
    ]
}

extension RouteRule {
    /// The calls of Focus about what users do on purpose.
    private static let focusActs: [RouteRule] = [
        RouteRule("GET /v1/focus/sessions", .signedIn(200)),
        RouteRule(
            "POST /v1/focus/sessions", .signedIn(201), .json(#"{"goal_minutes": 25, "mode": "block_list"}"#)),
        RouteRule("GET /v1/focus/sessions/{focus_session}", .insiders(200)),
        RouteRule("POST /v1/focus/sessions/{focus_session}/end", .insiders(200)),
        RouteRule("GET /v1/focus/stats", .signedIn(200)),
        RouteRule("GET /v1/focus/schedules", .signedIn(200)),
        RouteRule("POST /v1/focus/schedules", .signedIn(201), .json(newSchedule)),
        RouteRule("PUT /v1/focus/schedules/{schedule}", .insiders(200), .json(newSchedule)),
        // A delete of another user's things changes nothing: FocusScheduleTests, FocusIntentionTests.
        RouteRule("DELETE /v1/focus/schedules/{schedule}", .signedIn(204)),
        RouteRule("GET /v1/focus/intentions", .signedIn(200)),
        RouteRule("POST /v1/focus/intentions", .signedIn(201), .json(newIntention)),
        RouteRule("PUT /v1/focus/intentions/{intention}", .insiders(200), .json(newIntention)),
        RouteRule("DELETE /v1/focus/intentions/{intention}", .signedIn(204)),
        // Owners of scenes have Pro.
        RouteRule("POST /v1/focus/freeze", .signedIn(201)),
        RouteRule("GET /v1/focus/partners", .signedIn(200)),
        RouteRule("PUT /v1/focus/partners/{member}", .insiders(204)),
        RouteRule("DELETE /v1/focus/partners/{member}", .signedIn(204)),
        // The member has not asked: FocusPartnerTests.
        RouteRule("POST /v1/focus/partners/{member}/accept", .signedIn(404)),
        RouteRule("POST /v1/focus/tutorial", .signedIn(200)),
        RouteRule("POST /v1/focus/pro", .signedIn(422), .json(#"{"signed_transaction": "nonsense"}"#)),
    ]

    private static let newSchedule =
        #"{"from": "01:00", "to": "01:20", "weekdays": [1], "mode": "block_list"}"#
    private static let newIntention = #"{"label": "Videos", "opens": 3, "minutes": 5}"#
}
