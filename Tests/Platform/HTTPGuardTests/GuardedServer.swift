import HTTPGuard
import HTTPKit
import HTTPTesting
import Hummingbird

extension TestServer {
    /// The service behind guarded connections.
    static func app(
        options: HTTPServerOptions, budget: BodyBudget = BodyBudget(maxBytes: 8 << 20)
    ) -> some ApplicationProtocol {
        Application(
            router: router(budget: budget), server: options.serverBuilder(), logger: .silent)
    }
}
