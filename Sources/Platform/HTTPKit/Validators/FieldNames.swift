import HTTPTypes

extension HTTPField.Name {
    // The initialiser fails only for names that are not tokens of RFC 9110.
    private static func known(_ name: String) -> HTTPField.Name {
        guard let field = HTTPField.Name(name) else { preconditionFailure("not a field name: \(name)") }
        return field
    }

    package static let requestID = known("X-Request-ID")
    package static let idempotencyKey = known("Idempotency-Key")
    package static let forwardedFor = known("X-Forwarded-For")
    package static let rateLimit = known("RateLimit")
    package static let rateLimitPolicy = known("RateLimit-Policy")
    package static let lastEventID = known("Last-Event-ID")
    package static let accelBuffering = known("X-Accel-Buffering")
    package static let daylySession = known("Dayly-Session")
    package static let fetchSite = known("Sec-Fetch-Site")
    package static let clearSiteData = known("Clear-Site-Data")
    package static let contentTypeOptions = known("X-Content-Type-Options")
}
