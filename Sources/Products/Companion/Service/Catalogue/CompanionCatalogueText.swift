import CompanionRules
import Foundation
import HTTPKit

/// The catalogue as JSON: the operator's file, and the text that the database keeps.
enum CompanionCatalogueText {
    static func catalogue(of text: String) throws(CompanionCatalogueFault) -> Catalogue {
        do throws(JSONScanner.Fault) {
            try JSONScanner.validate(Array(text.utf8))
        } catch {
            throw CompanionCatalogueFault(error)
        }
        do {
            return try WireJSON.makeDecoder().decode(CatalogueForm.self, from: Data(text.utf8)).catalogue
        } catch let error as DecodingError {
            throw CompanionCatalogueFault(error)
        } catch {
            throw CompanionCatalogueFault("The catalogue cannot be read: \(error)")
        }
    }

    /// Always the same text for the same catalogue.
    static func text(of catalogue: Catalogue) throws -> String {
        String(decoding: try WireJSON.makeEncoder().encode(CatalogueForm(catalogue)), as: UTF8.self)
    }
}

/// The text is not a catalogue.
struct CompanionCatalogueFault: Error, Equatable {
    /// A sentence for the operator.
    let sentence: String
    let isJSON: Bool

    init(_ sentence: String, isJSON: Bool = true) {
        self.sentence = sentence
        self.isJSON = isJSON
    }

    init(_ fault: JSONScanner.Fault) {
        let place = fault.pointer.isEmpty ? "" : "\(fault.pointer): "
        self.init(place + fault.detail, isJSON: false)
    }

    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init("\(Self.place(context.codingPath + [key])) is missing.")
        case .valueNotFound(_, let context):
            self.init("\(Self.place(context.codingPath)) must not be null.")
        case .typeMismatch(_, let context):
            self.init("\(Self.place(context.codingPath)) is of another type.")
        case .dataCorrupted(let context):
            // Foundation does not say where a number stands that it cannot hold.
            self.init(
                context.codingPath.isEmpty
                    ? "A number is too great."
                    : "\(Self.place(context.codingPath)) is not valid: \(context.debugDescription)")
        @unknown default:
            self.init("The catalogue cannot be read.")
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.isEmpty
            ? "The file" : path.map { "/" + ($0.intValue.map(String.init) ?? $0.stringValue) }.joined()
    }
}
