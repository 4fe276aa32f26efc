/// A call of the service, named as in its `openapi.yaml`, from which the list of all calls is generated.
package struct Operation: Hashable, Sendable {
    package let name: String
    package let method: TransportRequest.Method
    /// With `{}` in the place of each parameter.
    package let path: String
    /// The statuses with which the service says that it carried the call out.
    package let successes: Set<Int>
    /// The type of the answer's body; nil: the answer has none.
    package let mediaType: String?

    package init(
        _ name: String, _ method: TransportRequest.Method, _ path: String, _ successes: Set<Int>,
        _ mediaType: String?
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.successes = successes
        self.mediaType = mediaType
    }

    /// Whether a request may be sent again when it got no answer: sending it twice has the effect of sending it once. A
    /// refresh token gives the same child until that child is used, a code is redeemed again by its member, and an upload
    /// has its idempotency key, like everything that other products make.
    package var isIdempotent: Bool {
        switch self {
        case .requestVerification, .verify, .createGroup, .checkUsers, .sendInvites, .countEvents: false
        default: true
        }
    }
}

extension [Operation] {
    /// The operation that a request calls; nil for a request that goes elsewhere, such as to a signed URL.
    package func called(by request: TransportRequest) -> Operation? {
        let asked = request.url.path.split(separator: "/")
        return first { operation in
            let parts = operation.path.split(separator: "/")
            return operation.method == request.method && parts.count == asked.count
                && zip(parts, asked).allSatisfy { $0 == $1 || $0 == "{}" && !Self.fixedParts.contains($1) }
        }
    }

    /// They stand where another path has a parameter.
    private static var fixedParts: Set<Substring> { ["me", "check-users", "send", "redeem"] }
}
