import Glibc

/// ThumbHash by Evan Wallace (evanw.github.io/thumbhash): a blurred preview of a picture in at most 25 bytes. It holds the
/// lowest cosine waves of lightness, of two colour differences and of alpha, if there is any, with four bits per wave.
package enum ThumbHash {
    /// - Parameter rgba: width × height pixels row by row, with straight (not premultiplied) alpha. Both sides are 1 to
    ///   100.
    package static func encode(width: Int, height: Int, rgba: [UInt8]) -> [UInt8] {
        precondition((1...100).contains(width) && (1...100).contains(height))
        precondition(rgba.count == width * height * 4)
        let planes = Planes(rgba: rgba)
        let size = Double(max(width, height))
        let most = planes.hasAlpha ? 5.0 : 7.0
        let wavesAcross = max(1, Int((most * Double(width) / size).rounded()))
        let wavesDown = max(1, Int((most * Double(height) / size).rounded()))

        func waves(_ plane: [Double], _ across: Int, _ down: Int) -> Waves {
            Waves(plane, width: width, height: height, across: across, down: down)
        }
        let lightness = waves(planes.lightness, max(3, wavesAcross), max(3, wavesDown))
        let yellowBlue = waves(planes.yellowBlue, 3, 3)
        let redGreen = waves(planes.redGreen, 3, 3)

        let isLandscape = width > height
        var head = level(63, lightness.mean)
        head |= level(31.5, 1 + yellowBlue.mean) << 6
        head |= level(31.5, 1 + redGreen.mean) << 12
        head |= level(31, lightness.scale) << 18
        head |= planes.hasAlpha ? 1 << 23 : 0
        var tail = isLandscape ? wavesDown : wavesAcross
        tail |= level(63, yellowBlue.scale) << 3
        tail |= level(63, redGreen.scale) << 9
        tail |= isLandscape ? 1 << 15 : 0

        var hash = [head, head >> 8, head >> 16, tail, tail >> 8].map { UInt8(truncatingIfNeeded: $0) }
        var levels = lightness.levels + yellowBlue.levels + redGreen.levels
        if planes.hasAlpha {
            let alpha = waves(planes.alpha, 5, 5)
            hash.append(UInt8(level(15, alpha.mean) | level(15, alpha.scale) << 4))
            levels += alpha.levels
        }
        for index in stride(from: 0, to: levels.count, by: 2) {
            hash.append(levels[index] | (index + 1 < levels.count ? levels[index + 1] << 4 : 0))
        }
        return hash
    }

    fileprivate static func level(_ steps: Double, _ value: Double) -> Int {
        Int((steps * value).rounded())
    }
}

/// The picture as lightness and colour differences, with transparent parts filled with its mean colour.
private struct Planes {
    private(set) var lightness: [Double] = []
    private(set) var yellowBlue: [Double] = []
    private(set) var redGreen: [Double] = []
    private(set) var alpha: [Double] = []
    let hasAlpha: Bool

    init(rgba: [UInt8]) {
        let count = rgba.count / 4
        var red = 0.0
        var green = 0.0
        var blue = 0.0
        var opacity = 0.0
        for index in stride(from: 0, to: rgba.count, by: 4) {
            let a = Double(rgba[index + 3]) / 255
            red += a / 255 * Double(rgba[index])
            green += a / 255 * Double(rgba[index + 1])
            blue += a / 255 * Double(rgba[index + 2])
            opacity += a
        }
        if opacity > 0 {
            red /= opacity
            green /= opacity
            blue /= opacity
        }
        hasAlpha = opacity < Double(count)
        for index in stride(from: 0, to: rgba.count, by: 4) {
            let a = Double(rgba[index + 3]) / 255
            let r = red * (1 - a) + a / 255 * Double(rgba[index])
            let g = green * (1 - a) + a / 255 * Double(rgba[index + 1])
            let b = blue * (1 - a) + a / 255 * Double(rgba[index + 2])
            lightness.append((r + g + b) / 3)
            yellowBlue.append((r + g) / 2 - b)
            redGreen.append(r - g)
            alpha.append(a)
        }
    }
}

/// The low-frequency corner of a plane's two-dimensional cosine transform.
private struct Waves {
    private(set) var mean = 0.0
    /// The amplitude of the strongest wave. The others are fractions of it.
    private(set) var scale = 0.0
    /// The amplitudes from 0 to 15; the middle of the range means no wave.
    private(set) var levels: [UInt8] = []

    init(_ plane: [Double], width: Int, height: Int, across: Int, down: Int) {
        let columns = (0..<across).map { Self.wave($0, width) }
        let rows = (0..<down).map { Self.wave($0, height) }
        var amplitudes: [Double] = []
        for v in 0..<down {
            var u = 0
            while u * down < across * (down - v) {
                var sum = 0.0
                for y in 0..<height {
                    let factor = rows[v][y]
                    for x in 0..<width { sum += plane[x + y * width] * columns[u][x] * factor }
                }
                sum /= Double(width * height)
                if u == 0, v == 0 {
                    mean = sum
                } else {
                    amplitudes.append(sum)
                    scale = max(scale, abs(sum))
                }
                u += 1
            }
        }
        levels = amplitudes.map {
            UInt8(ThumbHash.level(15, scale > 0 ? 0.5 + 0.5 / scale * $0 : $0))
        }
    }

    private static func wave(_ frequency: Int, _ count: Int) -> [Double] {
        (0..<count).map { cos(Double.pi / Double(count) * Double(frequency) * (Double($0) + 0.5)) }
    }
}
