import Foundation
import NIOCore
import NIOFoundationCompat

/// A policy in AWS's form: statements, each with a name (`Sid`). Statements of other programs keep all of their members.
package struct PolicyDocument: Sendable, Hashable {
    package var statements: [PolicyValue]
    private var rest: [String: PolicyValue]

    package init() {
        statements = []
        rest = ["Version": .text("2012-10-17")]
    }

    /// `nil` when the JSON is not a policy.
    package init?(json: ByteBuffer) {
        guard let value = try? JSONDecoder().decode(PolicyValue.self, from: json),
            case .object(var members) = value, let statements = members.removeValue(forKey: "Statement")
        else { return nil }
        self.statements = statements.list
        rest = members
    }

    package var value: PolicyValue {
        var members = rest
        members["Statement"] = .list(statements)
        return .object(members)
    }

    package var json: ByteBuffer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        // The tree holds only texts, numbers, flags and lists, so encoding it cannot fail.
        return (try? encoder.encodeAsByteBuffer(value, allocator: .init()))
            ?? ByteBuffer()
    }

    /// The same policy with `others` in place of the statements of the same names, or at the end.
    package func replacing(_ others: [PolicyValue]) -> PolicyDocument {
        let names = Set(others.map(\.sid))
        var policy = self
        policy.statements = statements.filter { $0.sid == nil || !names.contains($0.sid) } + others
        return policy
    }

    /// Whether the policy has, for each of `others`, a statement of the same name and the same meaning.
    package func holds(_ others: [PolicyValue]) -> Bool {
        others.allSatisfy { other in
            statements.contains { $0.sid == other.sid && $0.normalized == other.normalized }
        }
    }
}

/// A part of a policy. Servers return other JSON than they got: the single element instead of a list of one, `false`
/// instead of `"false"`, `{"AWS": "*"}` instead of `"*"`.
package indirect enum PolicyValue: Sendable, Hashable, Codable {
    case text(String)
    case flag(Bool)
    case number(Int)
    case list([PolicyValue])
    case object([String: PolicyValue])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([PolicyValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: PolicyValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .list(let list): try container.encode(list)
        case .object(let members): try container.encode(members)
        }
    }

    package subscript(name: String) -> PolicyValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// A statement's name.
    package var sid: String? {
        if case .text(let sid)? = self["Sid"] { sid } else { nil }
    }

    var list: [PolicyValue] {
        if case .list(let values) = self { values } else { [self] }
    }

    /// The same value in the one form that all equivalent values share.
    var normalized: PolicyValue {
        switch self {
        case .text: self
        case .flag(let flag): .text(String(flag))
        case .number(let number): .text(String(number))
        case .list(let values) where values.count == 1: values[0].normalized
        case .list(let values):
            .list(values.map(\.normalized).sorted { String(describing: $0) < String(describing: $1) })
        case .object(let members) where members.count == 1 && members["AWS"]?.normalized == .text("*"):
            .text("*")
        case .object(let members): .object(members.mapValues(\.normalized))
        }
    }

    /// The same value with `transform` applied to every text.
    package func mapTexts(_ transform: (String) -> String) -> PolicyValue {
        switch self {
        case .text(let text): .text(transform(text))
        case .flag, .number: self
        case .list(let values): .list(values.map { $0.mapTexts(transform) })
        case .object(let members): .object(members.mapValues { $0.mapTexts(transform) })
        }
    }
}
