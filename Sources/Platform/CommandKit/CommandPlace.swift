import ArgumentParser
import Postgres
import Push
import Settings

/// The service as the command of a product sees it. The configuration knows the products, so these do not know it.
package protocol CommandPlace: Sendable {
    /// The platforms to which push messages go.
    var pushPlatforms: Set<PushPlatform> { get }

    /// The settings in force.
    func settings<Group: SettingGroup>() -> Group

    /// - Parameter name: as in `features`.
    /// - Throws: `CommandFailure` where the product is switched off.
    func requireOffered(_ name: String) throws

    /// Opens the database for `body`.
    ///
    /// - Throws: `CommandFailure` on a database that does not fit, and the errors of `body`.
    func withDatabase<Value: Sendable>(
        _ body: (PostgresClient) async throws -> Value
    ) async throws -> Value

    /// Opens database and bucket, to do something lasting by the database's time.
    ///
    /// - Throws: as `withDatabase`, and `CommandFailure` while the clocks of database and bucket disagree.
    func onAgreedTime<Value: Sendable>(
        _ body: (PostgresClient) async throws -> Value
    ) async throws -> Value
}

/// The options by which a command finds its configuration. The commands of a product are generic over them.
package protocol CommandOptions: ParsableArguments {
    func place() throws -> any CommandPlace
}
