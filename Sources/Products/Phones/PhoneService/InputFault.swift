import HTTPKit

/// 400 for a member of a request, also where only a transaction can judge it.
package struct InputFault: ProblemConvertible, Equatable {
    package let pointer: String
    package let detail: String

    package init(_ pointer: String, _ detail: String) {
        self.pointer = pointer
        self.detail = detail
    }

    package var problem: Problem { .invalidRequest(pointer: pointer, detail: detail) }
}
