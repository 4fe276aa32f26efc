import CImageFixtures

/// Known samples, one to four per pixel, from which test pictures are encoded.
struct Chart {
    let width: Int
    let height: Int
    let channels: Int
    let samples: [UInt8]

    /// Patches of all colours, ramps and waves.
    static func patches(_ channels: Int) -> Chart {
        Chart(240, 144, channels) { fixture_chart($0, 240, 144, Int32(channels)) }
    }

    /// Smooth colours, so that lossy codecs lose hardly anything.
    static func ramps(_ channels: Int) -> Chart {
        Chart(240, 144, channels) { fixture_ramps($0, 240, 144, Int32(channels)) }
    }

    private init(_ width: Int, _ height: Int, _ channels: Int, fill: (UnsafeMutablePointer<UInt8>?) -> Void) {
        self.width = width
        self.height = height
        self.channels = channels
        samples = [UInt8](unsafeUninitializedCapacity: width * height * channels) { buffer, count in
            fill(buffer.baseAddress)
            count = width * height * channels
        }
    }

    var count: Int { width * height }

    /// Four bytes a pixel: grey three times, or RGB, with an alpha of 255; RGBA and CMYK as they are.
    var picture: TestPicture {
        TestPicture(width, height) { x, y in
            let start = (y * width + x) * channels
            switch channels {
            case 1: return [samples[start], samples[start], samples[start], 255]
            case 3: return samples[start..<start + 3] + [255]
            default: return Array(samples[start..<start + 4])
            }
        }
    }

    /// The colours according to a profile, as sRGB without rounding.
    func seen(by profile: [UInt8]) -> [Float] {
        Self.sRGB(samples.map { Double($0) / 255 }, channels: channels, by: profile)
    }

    /// The colours if the first three samples, or the only one, are sRGB.
    var seenPlainly: [Float] {
        (0..<count * 3).map { Float(samples[$0 / 3 * channels + (channels < 3 ? 0 : $0 % 3)]) / 255 }
    }

    /// The conversion of ink without a profile: light passes through the colour and the black.
    var inkSeenPlainly: [Float] {
        (0..<count * 3).map {
            let start = $0 / 3 * 4
            return Float(255 - Int(samples[start + $0 % 3])) * Float(255 - Int(samples[start + 3])) / 65_025
        }
    }

    /// The inverted samples, as in Adobe's CMYK files.
    var inverted: TestPicture {
        var picture = picture
        for index in picture.pixels.indices { picture.pixels[index] = 255 - picture.pixels[index] }
        return picture
    }

    /// Converts colours (0 to 1) to sRGB with Little CMS.
    static func sRGB(_ colours: [Double], channels: Int, by profile: [UInt8]) -> [Float] {
        let count = colours.count / channels
        return [Float](unsafeUninitializedCapacity: count * 3) { buffer, filled in
            let done = fixture_to_srgb(
                profile, profile.count, colours, Int32(channels), count, buffer.baseAddress)
            filled = done == 1 ? count * 3 : 0
        }
    }
}

extension [Float] {
    /// sRGB as it shows on white through an alpha, 0 to 1, for each pixel.
    func onWhite(_ alpha: (Int) -> Float) -> [Float] {
        indices.map { 1 - (1 - self[$0]) * alpha($0 / 3) }
    }
}
