import Foundation

/// The address of a bucket: the scheme, the host, and the bucket's name in the path or in the host.
struct S3Endpoint: Sendable {
    let scheme: String
    /// As in the `Host` header: with the port, unless it is the scheme's default.
    let host: String
    /// `/bucket` in path style; empty when the bucket is in the host.
    private let bucketPath: String

    init(url: URL, bucket: String, pathStyle: Bool) throws(ObjectStoreError) {
        let scheme = url.scheme?.lowercased() ?? ""
        guard scheme == "http" || scheme == "https", let name = url.host(), !name.isEmpty else {
            throw .rejected("the S3 endpoint must be a URL such as https://s3.example", culprit: .endpoint)
        }
        guard ["", "/"].contains(url.path()), url.query() == nil, url.user() == nil else {
            throw .rejected(
                "the S3 endpoint must be a scheme, a host and perhaps a port, nothing more",
                culprit: .endpoint)
        }
        let isDefault = url.port == nil || url.port == (scheme == "https" ? 443 : 80)
        let bare = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
        let authority = isDefault ? bare : "\(bare):\(url.port ?? 0)"
        self.scheme = scheme
        self.host = pathStyle ? authority : "\(bucket).\(authority)"
        self.bucketPath = pathStyle ? "/\(bucket)" : ""
    }

    func uri(key: ObjectKey?, parameters: [(name: String, value: String)] = []) -> CanonicalURI {
        let path = key.map { "\(bucketPath)/\($0.rawValue)" } ?? bucketPath
        return CanonicalURI(path: path.isEmpty ? "/" : path, parameters: parameters)
    }

    func url(_ uri: CanonicalURI, query: String) -> String {
        "\(scheme)://\(host)\(uri.path)\(query.isEmpty ? "" : "?\(query)")"
    }
}
