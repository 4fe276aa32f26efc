import DeviceIntake

extension StreakHistory {
    private static let version: UInt8 = 1

    /// The bytes that the user's row keeps; about 20 for each kept day and device.
    package var packed: [UInt8] {
        var bytes = BytePacker()
        bytes.write(byte: Self.version)
        bytes.write(UInt64(checkpoints.count))
        for checkpoint in checkpoints {
            bytes.write(signed: checkpoint.through)
            bytes.write(checkpoint.state)
        }
        bytes.write(head)
        bytes.write(byte: last == nil ? 0 : 1)
        if let last {
            bytes.write(signed: last.at)
            bytes.write(byte: last.isDeletion ? 1 : 0)
            bytes.write(signed: last.device)
            bytes.write(signed: last.seq)
        }
        return bytes.bytes
    }

    /// nil if the bytes are not those of a history.
    package init?(packed: some Sequence<UInt8>) {
        var bytes = ByteReader(packed)
        guard bytes.byte() == Self.version, let count = bytes.count() else { return nil }
        var checkpoints: [Checkpoint] = []
        for _ in 0..<count {
            guard let through = bytes.signed(), let state = bytes.streakState() else { return nil }
            checkpoints.append(Checkpoint(through: through, state: state))
        }
        guard let head = bytes.streakState(), let hasLast = bytes.byte() else { return nil }
        let last = hasLast == 0 ? nil : bytes.streakPosition()
        guard hasLast == 0 || last != nil, bytes.isAtEnd else { return nil }
        self.init(checkpoints: checkpoints, head: head, last: last)
    }
}

extension BytePacker {
    mutating func write(_ state: StreakState) {
        write(signed: state.began)
        write(byte: state.isEstimated ? 1 : 0)
        write(UInt64(state.devices.count))
        for device in state.devices {
            write(signed: device.number)
            let isLocked = device.changes == StreakState.locked
            write(byte: isLocked ? 0 : device.isHeld ? 1 : 2)
            if !isLocked { write(signed: device.changes - state.began) }
        }
    }
}

extension ByteReader {
    mutating func streakState() -> StreakState? {
        var state = StreakState()
        guard let began = signed(), let flags = byte(), let count = count() else { return nil }
        state.began = began
        state.isEstimated = flags != 0
        for _ in 0..<count {
            guard let number = signed(), let kind = byte(), kind <= 2 else { return nil }
            guard let changes = kind == 0 ? StreakState.locked : signed().map({ $0 + began }) else {
                return nil
            }
            state.devices.append(.init(number: number, changes: changes, isHeld: kind == 1))
        }
        state.findNextChange()
        return state
    }

    mutating func streakPosition() -> StreakPosition? {
        guard let at = signed(), let kind = byte(), let device = signed(), let seq = signed() else {
            return nil
        }
        return StreakPosition(at: at, isDeletion: kind != 0, device: device, seq: seq)
    }
}
