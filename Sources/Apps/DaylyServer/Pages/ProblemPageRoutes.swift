import DaylyAPI
import HTTPKit
import Hummingbird

/// `GET /problems/{code}`: the page behind a problem's `type`, for authors of clients.
struct ProblemPageRoutes: Sendable {
    func addRoutes(to router: some RouterMethods<AppContext>) {
        router.get("/problems/:code") { _, context in
            let code = ProblemCode(rawValue: try context.requireParameter("code"))
            guard let meaning = Features.problems[code] else { throw Problem.notFound }
            return Page(
                title: code.title,
                body: "<h1>\(Page.escaped(code.title))</h1>\n<p><code>\(code.rawValue)</code></p>\n"
                    + "<p>\(Page.escaped(meaning))</p>")
        }
    }
}
