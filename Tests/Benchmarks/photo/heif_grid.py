"""Joins HEIF pictures of one size into one picture of tiles, as phones write them.

heif_grid.py COLUMNS WIDTH HEIGHT OUTPUT TILE…

The tiles are read from left to right and top to bottom; WIDTH and HEIGHT are those of the whole, which may cut the last
column and row. Each tile is a file of libheif's with one picture and nothing else in it. ISO/IEC 14496-12, 23008-12.
"""

import struct
import sys


def box(kind, *parts):
    body = b"".join(parts)
    return struct.pack(">I4s", 8 + len(body), kind.encode()) + body


def full_box(kind, version, flags, *parts):
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def boxes(data):
    position = 0
    while position + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, position)
        yield kind.decode("latin-1"), data[position + 8:position + size], data[position:position + size]
        position += size


def find(data, kind):
    return next(body for name, body, _ in boxes(data) if name == kind)


class Tile:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.brands = find(data, "ftyp")
        properties = find(find(find(data, "meta")[4:], "iprp"), "ipco")
        whole = {name: raw for name, _, raw in boxes(properties)}
        self.kind = "hvc1" if "hvcC" in whole else "av01"
        self.configuration = whole["hvcC" if "hvcC" in whole else "av1C"]
        self.extent = whole["ispe"]
        self.coded = find(data, "mdat")


def file_of(tiles, columns, width, height):
    count, rows = len(tiles), len(tiles) // columns
    grid = struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, width, height)
    configurations = sorted({tile.configuration for tile in tiles})
    properties = [tiles[0].extent, full_box("ispe", 0, 0, struct.pack(">II", width, height)), *configurations]
    ids = range(1, count + 1)
    items = [full_box("infe", 2, 1, struct.pack(">HH4s", i, 0, tiles[i - 1].kind.encode()), b"\0") for i in ids]
    items.append(full_box("infe", 2, 0, struct.pack(">HH4s", count + 1, 0, b"grid"), b"\0"))
    # The highest bit of an essential property is set; properties are counted from 1.
    associations = [
        struct.pack(">HBBB", i, 2, 1, 0x80 | 3 + configurations.index(tiles[i - 1].configuration)) for i in ids
    ]
    associations.append(struct.pack(">HBB", count + 1, 1, 2))

    def meta(start):
        places, offset = [], start
        for number, body in enumerate([tile.coded for tile in tiles] + [grid], 1):
            places.append(struct.pack(">HHHII", number, 0, 1, offset, len(body)))
            offset += len(body)
        return full_box(
            "meta", 0, 0,
            full_box("hdlr", 0, 0, struct.pack(">I4s12s", 0, b"pict", b""), b"\0"),
            full_box("pitm", 0, 0, struct.pack(">H", count + 1)),
            full_box("iinf", 0, 0, struct.pack(">H", count + 1), *items),
            full_box("iref", 0, 0, box("dimg", struct.pack(f">HH{count}H", count + 1, count, *ids))),
            box("iprp", box("ipco", *properties),
                full_box("ipma", 0, 0, struct.pack(">I", count + 1), *associations)),
            full_box("iloc", 0, 0, struct.pack(">HH", 0x4400, count + 1), *places),
        )

    head = box("ftyp", tiles[0].brands)
    media = [tile.coded for tile in tiles] + [grid]
    start = len(head) + len(meta(0)) + 8
    return head + meta(start) + box("mdat", *media)


def main():
    columns, width, height = map(int, sys.argv[1:4])
    tiles = [Tile(path) for path in sys.argv[5:]]
    if not tiles or len(tiles) % columns:
        sys.exit("error: the tiles do not make full rows")
    with open(sys.argv[4], "wb") as file:
        file.write(file_of(tiles, columns, width, height))


main()
