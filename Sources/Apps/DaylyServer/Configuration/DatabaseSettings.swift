import Settings

package struct DatabaseSettings: SettingGroup {
    @Setting(
        "database.url", .databaseURL,
        "A libpq URL of PostgreSQL 15 or newer with its own parameters (`?sslmode=verify-full`); required. "
            + "Of several hosts (`postgresql://dayly@one,two/dayly`) the one that accepts writes is used.",
        remedy: "Set it to a libpq URL: postgresql://user:password@host:5432/dayly")
    package var url: String

    @Setting(
        "database.direct_url", .databaseURL,
        "PostgreSQL itself, for LISTEN and migrations, where `database.url` leads through a pooler in "
            + "transaction mode.",
        remedy:
            "Set it to a libpq URL that leads to PostgreSQL past the pooler: "
            + "postgresql://user:password@host:5432/dayly"
    )
    package var directURL: String?

    @Setting(
        "database.max_connections", .number(1...1_000), default: "8",
        "Connections of one process, a quarter of them for background work. Two more listen and notify.")
    package var maxConnections: Int

    @Setting(
        "database.migrations_path", .path,
        default: .derived("`migrations` near the executable") { _ in Surroundings.migrationsPath() },
        "The folder of the migrations.",
        remedy: "Set it to the folder of the .sql files that came with this version.")
    package var migrationsPath: String

    package init() {}
}
