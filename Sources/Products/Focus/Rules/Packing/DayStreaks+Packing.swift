import DeviceIntake

extension DayStreaks {
    /// The streaks as bytes, about five each: what the next one is from the end of the one before.
    package var packed: [UInt8] {
        var bytes = BytePacker()
        var end = day * secondsPerDay
        for streak in streaks {
            bytes.write(signed: (streak.ended - end) << 1 | (streak.isEstimated ? 1 : 0))
            bytes.write(signed: streak.ended - streak.began)
            end = streak.ended
        }
        return bytes.bytes
    }

    /// nil if the bytes are not those of streaks.
    package init?(day: DayNumber, packed: some Sequence<UInt8>) {
        var bytes = ByteReader(packed)
        var end = day * secondsPerDay
        var streaks: [Streak] = []
        while !bytes.isAtEnd {
            guard let step = bytes.signed(), let seconds = bytes.signed() else { return nil }
            end += step >> 1
            streaks.append(
                Streak(began: end - seconds, ended: end, day: day, isEstimated: step & 1 == 1))
        }
        self.init(day: day, streaks: streaks)
    }
}
