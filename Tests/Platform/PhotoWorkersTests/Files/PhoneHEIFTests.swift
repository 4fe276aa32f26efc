import Testing

@testable import PhotoWorkers

/// Tests what phones put around the primary picture of a HEIF.
@Suite("HEIF beside the picture")
struct PhoneHEIFTests {
    static let picture = TestPicture.quarters(160, 96)
    static let gainMapType = "urn:com:apple:photo:2020:aux:hdrgainmap"

    static func auxiliary(_ type: String) -> [UInt8] {
        HEIFBuilder.full("auxC", Array("\(type)\0".utf8))
    }

    static func changed(avif: Bool = false, _ change: (inout HEIFBuilder) -> Void) -> [UInt8] {
        var builder = HEIFBuilder(picture, avif: avif)
        change(&builder)
        return builder.file()
    }

    /// A file as iOS 18 writes it: a gain map and a tone-mapped item, to which all else refers too.
    static func toneMapped(_ builder: inout HEIFBuilder) {
        let kind = builder.add(property: auxiliary(gainMapType))
        let gain = builder.add("hvc1", builder.items[0].data, properties: [1, 2, kind])
        let map = builder.add("tmap", [0, 0, 0], properties: [2])
        let exif = builder.add("Exif", [0, 0, 0, 0])
        builder.references = [
            ("dimg", map, [1, gain]), ("auxl", gain, [1, map]), ("cdsc", exif, [1, map]),
        ]
        let group = FileSurgery.bigEndian(900, 4) + [0, 0, 0, 2, 0, 0, 0, UInt8(map), 0, 0, 0, 1]
        builder.more = FileSurgery.box("grpl", HEIFBuilder.full("altr", group))
    }

    static func taken() -> [(String, [UInt8])] {
        func with(_ type: String, to items: [Int], properties: [[UInt8]] = [], reference: String = "auxl")
            -> [UInt8]
        {
            changed { builder in
                let numbers = properties.map { builder.add(property: $0) }
                let item = builder.add(type, [1, 2, 3], properties: numbers)
                builder.references = [(reference, item, items)]
            }
        }
        let depth = auxiliary("urn:mpeg:hevc:2015:auxid:2")
        return [
            ("nothing", changed { _ in }),
            ("iOS 18", changed(toneMapped)),
            ("AVIF with a gain map", changed(avif: true, toneMapped)),
            (
                "a tone-mapped item as the primary one",
                changed {
                    toneMapped(&$0); $0.primary = 3
                }
            ),
            (
                "the largest numbers",
                changed {
                    toneMapped(&$0); $0.isWide = true
                }
            ),
            (
                "data in idat",
                changed {
                    toneMapped(&$0); $0.isInside = true
                }
            ),
            ("data in two parts", changed { $0.isSplit = true }),
            ("depth of another codec", with("unci", to: [1], properties: [depth])),
            ("depth of an unknown item", with("hvc1", to: [77], properties: [depth])),
            ("an auxiliary item without a kind", with("hvc1", to: [1])),
            ("an auxiliary item of itself", with("hvc1", to: [2], properties: [depth])),
            ("a thumbnail without a size", with("hvc1", to: [1], reference: "thmb")),
            ("a thumbnail of several items", with("jpeg", to: [1, 2], reference: "thmb")),
            ("metadata of several items", with("mime", to: [1, 2, 3], reference: "cdsc")),
            ("metadata of an unknown item", with("uri ", to: [77], reference: "cdsc")),
            ("a reference of an unknown kind", with("what", to: [1], reference: "xxxx")),
            ("premultiplied with an unknown item", changed { $0.references = [("prem", 1, [77])] }),
            (
                "colours of an unknown kind",
                with("hvc1", to: [1], properties: [FileSurgery.box("colr", Array("nclcabc".utf8))])
            ),
            (
                "broken properties of another item",
                with(
                    "hvc1", to: [1],
                    properties: ["pixi", "clap", "auxC", "hvcC", "irot"].map { FileSurgery.box($0, []) })
            ),
            (
                "an unknown property",
                changed { $0.items[0].properties.append($0.add(property: FileSurgery.box("xxxx", [1]))) }
            ),
            ("an overlay that is not the primary item", with("iovl", to: [77], reference: "dimg")),
            (
                "a picture that is made of itself and is not the primary one",
                with("grid", to: [2], reference: "dimg")
            ),
            ("another large picture", with("hvc1", to: [1], properties: [size(60_000, 60_000)])),
            ("hev1", changed { $0.items[0].type = "hev1" }),
            (
                "the brand of a sequence",
                changed {
                    $0.major = "msf1"; $0.behind = FileSurgery.box("moov", [1])
                }
            ),
            ("Samsung's box behind", changed { $0.behind = FileSurgery.box("sefd", [1, 2, 3, 4]) }),
            (
                "an identity",
                changed {
                    $0.primary = $0.add("iden", properties: [2]); $0.references = [("dimg", 2, [1])]
                }
            ),
            (
                "an identity of an identity",
                changed {
                    _ = ($0.add("iden"), $0.add("iden"))
                    $0.primary = 3
                    $0.references = [("dimg", 3, [2]), ("dimg", 2, [1])]
                }
            ),
        ]
    }

    private static func size(_ width: Int, _ height: Int) -> [UInt8] {
        HEIFBuilder.full("ispe", FileSurgery.bigEndian(width, 4) + FileSurgery.bigEndian(height, 4))
    }

    @Test("nothing beside the primary picture costs it", arguments: NamedFile.list(taken()))
    func beside(named: NamedFile) async throws {
        let image = try await outcome(of: named.bytes).get()
        #expect([image.width, image.height] == [160, 96])
        for (seen, expected) in zip(TestPicture(jpeg: image.photo).quarterColours, TestPicture.colours) {
            #expect(distance(seen, expected.map(Int.init)) < 20, "\(seen) for \(expected)")
        }
    }

    @Test("an identity turns what its source has turned already, and its alpha")
    func turned() async throws {
        func file(_ source: UInt8, _ own: UInt8) -> [UInt8] {
            Self.changed {
                $0.items[0].properties.append($0.add(property: FileSurgery.box("irot", [source])))
                $0.primary = $0.add(
                    "iden", properties: [2, $0.add(property: FileSurgery.box("irot", [own]))])
                $0.references = [("dimg", 2, [1])]
            }
        }
        for (source, own, order) in [(0, 1, [1, 3, 0, 2]), (1, 1, [3, 2, 1, 0]), (3, 1, [0, 1, 2, 3])] {
            let image = try await outcome(of: file(UInt8(source), UInt8(own))).get()
            let sides: [Int] = (source + own) % 2 == 0 ? [160, 96] : [96, 160]
            #expect([image.width, image.height] == sides)
            let seen = TestPicture(jpeg: image.photo).quarterColours
            for (place, colour) in order.enumerated() {
                #expect(
                    distance(seen[place], TestPicture.colours[colour].map(Int.init)) < 20, "\(source), \(own)"
                )
            }
        }
    }

    @Test("alpha stays: of a picture, of an identity, and beside other auxiliary items")
    func alpha() async throws {
        let clear = HEIFBuilder(TestPicture(160, 96) { _, _ in [0, 0, 0, 255] }).items[0].data
        func file(of items: [Int], _ change: (inout HEIFBuilder) -> Void = { _ in }) -> [UInt8] {
            Self.changed { builder in
                let kind = builder.add(property: Self.auxiliary("urn:mpeg:hevc:2015:auxid:1"))
                let item = builder.add("hvc1", clear, properties: [1, 2, kind])
                builder.references = [("auxl", item, items)]
                change(&builder)
            }
        }
        let identity = file(of: [1, 3]) { builder in
            builder.primary = builder.add("iden")
            builder.references.append(("dimg", 3, [1]))
        }
        for file in [file(of: [1]), file(of: [1, 77]), identity] {
            let image = try await outcome(of: file).get()
            #expect(distance(TestPicture(jpeg: image.photo).colour(atX: 40, y: 24), [255, 255, 255]) < 8)
        }
    }

    @Test("what the primary picture needs must be there")
    func missing() async throws {
        let whole = Self.changed { _ in }
        var beyond = whole
        let length = whole.count - HEIFSurgery.box("mdat", in: whole).count + 8
        let place = try #require(
            (0..<whole.count - 4).first { HEIFSurgery.number(in: whole, at: $0, 4) == length })
        beyond.replaceSubrange(place + 4..<place + 8, with: FileSurgery.bigEndian(whole.count, 4))
        #expect(await outcome(of: beyond).error == .unreadable)
        #expect(await outcome(of: Self.changed { $0.primary = 9 }).error == .unreadable)
        #expect(await outcome(of: Self.changed { $0.constructionMethod = 2 }).error == .unsupportedFormat)
        #expect(await outcome(of: Self.changed { $0.items[0].type = "unci" }).error == .unsupportedFormat)
        let circle = Self.changed {
            $0.primary = $0.add("iden")
            $0.references = [("dimg", 2, [2])]
        }
        #expect(await outcome(of: circle).error == .unreadable)
    }
}
