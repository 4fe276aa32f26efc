/// Follows the imports of the web client's modules, so that the shell can name all that a page needs. Otherwise a browser
/// would find them one after the other, with a round trip for each step.
enum WebModules {
    /// - Parameters:
    ///   - shell: the template of the shell, whose scripts begin with `/app/{{version}}/`.
    ///   - files: the files of the folder by their paths. Imports stand at the beginning of a line, in double quotes.
    /// - Returns: the paths of all modules that the shell's scripts import, in the order in which a browser finds them.
    static func needed(by shell: String, in files: [String: [UInt8]]) -> [String] {
        var found = shell.split(separator: "src=\"/app/{{version}}/").dropFirst().compactMap { part in
            part.split(separator: "\"").first.map(String.init)
        }.filter { files[$0] != nil }
        let scripts = found.count
        var next = 0
        while next < found.count {
            let module = found[next]
            for path in imports(of: String(decoding: files[module] ?? [], as: UTF8.self)) {
                if let path = resolved(path, from: module), files[path] != nil, !found.contains(path) {
                    found.append(path)
                }
            }
            next += 1
        }
        return Array(found.dropFirst(scripts))
    }

    /// The relative paths that a module imports.
    private static func imports(of module: String) -> [Substring] {
        module.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("import ") || line.hasPrefix("export ") || line.hasPrefix("} from ") else {
                return nil
            }
            let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
            return parts.count == 3 && parts[1].hasPrefix(".") ? parts[1] : nil
        }
    }

    /// A relative path as a path in the folder; nil if it leads out of the folder.
    private static func resolved(_ path: Substring, from module: String) -> String? {
        var parts = module.split(separator: "/").dropLast()
        for part in path.split(separator: "/") where part != "." {
            if part != ".." {
                parts.append(part)
            } else if parts.popLast() == nil {
                return nil
            }
        }
        return parts.joined(separator: "/")
    }
}
