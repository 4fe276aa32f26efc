import Postgres

/// Asks PostgreSQL for the rights of the service's role.
struct RightsStore: Sendable {
    /// A table, sequence or function on which the role lacks rights or ownership.
    struct Gap: Sendable, Equatable {
        /// `table photos`, `function local_day`.
        let name: String
        /// The rights that are missing: `INSERT, UPDATE`. Empty if only ownership is missing.
        let missing: String
        let isOwned: Bool
    }

    struct Role: Sendable {
        let name: String
        /// Nil if the role may not use any schema of its search path.
        let schema: String?
        let mayCreate: Bool
    }

    let client: PostgresClient

    func role() async throws -> Role {
        let row = try await client.first(
            """
            SELECT current_user::text AS name, current_schema()::text AS schema,
                coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create
            """)
        guard let row else { throw PostgresError.decoding("no row") }
        return Role(
            name: try row.get("name"), schema: try row.get("schema"), mayCreate: try row.get("may_create"))
    }

    /// The tables, sequences and functions of the schema on which the role lacks rights or ownership.
    func gaps() async throws -> [Gap] {
        try await client.query(
            """
            SELECT name, missing, is_owned FROM (
                SELECT 'table ' || c.relname AS name, array_to_string(ARRAY(
                    SELECT r FROM unnest(
                        CASE WHEN c.relname = 'schema_migrations' THEN ARRAY['SELECT']
                            -- The service truncates a partition before it reuses it.
                            WHEN c.relispartition
                                THEN ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']
                            ELSE ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'] END
                    ) AS r WHERE NOT has_table_privilege(c.oid, r)
                ), ', ') AS missing, pg_has_role(c.relowner, 'USAGE') AS is_owned
                FROM pg_class c
                WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
                UNION ALL
                SELECT 'sequence ' || c.relname,
                    CASE WHEN has_sequence_privilege(c.oid, 'USAGE') THEN '' ELSE 'USAGE' END,
                    pg_has_role(c.relowner, 'USAGE')
                FROM pg_class c
                WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S'
                -- An INSERT does not need a right on an identity column's sequence.
                AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'i')
                UNION ALL
                SELECT 'function ' || p.proname,
                    CASE WHEN has_function_privilege(p.oid, 'EXECUTE') THEN '' ELSE 'EXECUTE' END,
                    pg_has_role(p.proowner, 'USAGE')
                FROM pg_proc p
                WHERE p.pronamespace = current_schema()::regnamespace
            ) AS found
            WHERE missing <> '' OR NOT is_owned
            ORDER BY name
            """
        ).map { row in
            Gap(name: try row.get("name"), missing: try row.get("missing"), isOwned: try row.get("is_owned"))
        }
    }
}
