/// Width and height in pixels, and the rules for a reduced size.
package struct PictureSize: Equatable {
    package let width: Int
    package let height: Int

    var longEdge: Int { max(width, height) }

    /// The largest size of the same shape whose long edge is at most `edge`; never larger than this one.
    func fitted(to edge: Int) -> PictureSize {
        guard longEdge > edge else { return self }
        func scaled(_ side: Int) -> Int { max(1, (side * edge * 2 + longEdge) / (longEdge * 2)) }
        return PictureSize(width: scaled(width), height: scaled(height))
    }

    /// The eighths of its size at which a JPEG is decoded. A long edge between 15/16 of `edge` and `edge` needs no
    /// resampling. Otherwise the smallest size above `edge` is decoded and then resampled. A picture that is small enough
    /// already is decoded in full.
    func jpegEighths(for edge: Int) -> Int {
        func longEdge(at eighths: Int) -> Int { (self.longEdge * eighths + 7) / 8 }
        if self.longEdge <= edge { return 8 }
        for eighths in stride(from: 8, through: 1, by: -1)
        where longEdge(at: eighths) <= edge && longEdge(at: eighths) * 16 >= edge * 15 {
            return eighths
        }
        return (1...8).first { longEdge(at: $0) > edge } ?? 8
    }
}
