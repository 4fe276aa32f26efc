import Foundation
import HTTPKit
import Hummingbird
import ObjectStorage

/// `GET /files/<key>`: objects of the store on files, under URLs that the service signed. Every refusal is the same 404.
struct FileRoutes: Sendable {
    /// `Last-Modified` must not be later than `Date` (RFC 9110, 8.8.2.1), which the framework updates only once a second.
    private static let dateLag: TimeInterval = 5

    let store: FilesystemObjectStore
    /// PostgreSQL's clock.
    let now: @Sendable () async throws -> Date

    func addRoutes(to router: some RouterMethods<AppContext>) {
        router.get("/files/**", use: file)
    }

    @Sendable private func file(_ request: Request, _ context: AppContext) async throws -> Response {
        // The target of the request line, which the signature covers.
        let target = request.head.path ?? ""
        let now = try await now()
        guard case .success(let key) = store.verify(target: target, now: now),
            let file = try await store.open(key)
        else { throw Problem.notFound }
        var headers = fields(of: file)
        if HTTPConditions.isNotModified(ifNoneMatch: request.headers[.ifNoneMatch], etag: file.etag) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = "image/jpeg"
        switch range(request, file) {
        case .whole:
            return Response(status: .ok, headers: headers, body: body(file, 0..<file.size))
        case .partial(let range):
            headers[.contentRange] = HTTPByteRange.contentRange(range, size: file.size)
            return Response(status: .partialContent, headers: headers, body: body(file, range))
        case .unsatisfiable:
            throw Problem(
                .rangeNotSatisfiable, .invalidRequest, "The range starts after the end of the photo.",
                headers: [.contentRange: HTTPByteRange.unsatisfiedContentRange(size: file.size)])
        }
    }

    private func range(_ request: Request, _ file: ObjectFile) -> HTTPByteRange {
        let isAllowed = HTTPConditions.allowsRange(
            ifRange: request.headers[.ifRange], etag: file.etag, lastModified: file.lastModified)
        return HTTPByteRange(header: isAllowed ? request.headers[.range] : nil, size: file.size)
    }

    /// A cache on the way or in a browser must not store a picture, because the picture would outlive its expiry there.
    /// Clients keep pictures themselves, and forget them in time. A mobile carrier's proxy must not compress them once more.
    private func fields(of file: ObjectFile) -> HTTPFields {
        [
            .eTag: file.etag,
            .lastModified: HTTPDate.format(min(file.lastModified, Date().addingTimeInterval(-Self.dateLag))),
            .cacheControl: "private, no-store, no-transform",
            .acceptRanges: "bytes",
            .contentTypeOptions: "nosniff",
        ]
    }

    private func body(_ file: ObjectFile, _ range: Range<Int>) -> ResponseBody {
        ResponseBody(contentLength: range.count) { writer in
            for try await chunk in file.chunks(in: range) { try await writer.write(chunk) }
            try await writer.finish(nil)
        }
    }
}
