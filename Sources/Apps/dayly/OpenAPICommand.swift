import ArgumentParser
import CommandKit
import DaylyServer

struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi", abstract: "Prints the OpenAPI 3.1 description of the HTTP API.")

    func run() {
        Terminal.print(OpenAPIDocument.text.trimmingSuffix { $0 == "\n" })
    }
}

extension String {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
        String(reversed().drop(while: isTrimmed).reversed())
    }
}
