import DaylyTesting
import Foundation
import ProgramTesting

/// One fault at a time at each step of an operation, and then at each of its dependencies for as long as it lasts.
struct Faulting: Sendable {
    let stage: Stage
    let operation: Operation

    /// A broken connection to the database at each statement, before it and after it.
    func atEachStatement() async throws {
        for fault in [Fault.reset, .replyLost] {
            try await at(.database, fault, steps: 1...)
        }
    }

    /// Each of the faults at each request to the store. The slow ones at once.
    func atEachRequest(_ faults: [Fault]) async throws {
        for fault in faults { try await at(.store, fault, steps: 1...8) }
    }

    private func at(_ link: Link, _ fault: Fault, steps: some Sequence<Int>) async throws {
        var occasions: [Occasion] = []
        for step in steps {
            let occasion = try await operation.prepare(stage)
            occasions.append(occasion)
            try await stage.instance.quiesce(for: .milliseconds(10))
            let trap = Trap(step: step, .before, .fault(fault), on: [link])
            stage.instance.board.set(trap)
            await occasion.perform()
            stage.instance.board.set(nil)
            guard trap.what != nil else {
                stage.world.history.tell("\(fault) at each of \(step - 1) steps")
                break
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for occasion in occasions { group.addTask { try await occasion.finish() } }
            try await group.waitForAll()
        }
    }

    /// The link is broken in one way for a while; others use the service meanwhile.
    func whileBroken(_ link: Link, _ fault: Fault) async throws {
        let occasion = try await operation.prepare(stage)
        stage.instance.board.follow { $0.link == link ? fault : .none }
        await occasion.perform()
        stage.instance.board.follow(nil)
        // An abandoned object is deleted before it may arrive late.
        try await stage.instance.run("sweep", "--once")
        try await occasion.finish()
    }

    /// A PUT is given up and tried again, and the photo deleted and swept before the first one arrives.
    func lateBehindDeletion() async throws {
        let group = try await stage.group()
        let trap = Trap(step: 1, .before, .fault(.late(.seconds(14))), on: [.store])
        stage.instance.board.set(trap)
        let sent = await stage.ada.upload(to: group, key: "first", at: stage.url)
        stage.instance.board.set(nil)
        guard let photo = sent.photos.first, trap.what?.hasPrefix("PUT ") == true else {
            throw ProxyError(description: "no photo by a second PUT: \(sent)")
        }
        await stage.ada.deletePhoto(photo.id, at: stage.url)
        try await stage.instance.run("sweep", "--once")
        guard stage.instance.board.late == 1 else { throw ProxyError(description: "the sweep came too late") }
    }

    /// The port is closed for a while.
    func whileRefused(_ link: Link) async throws {
        let occasion = try await operation.prepare(stage)
        stage.instance.board.refuse([link])
        await occasion.perform()
        stage.instance.board.refuse([])
        try await occasion.finish()
    }
}

/// Text messages through a gateway that fails: signing in works as soon as it does.
struct MessageFaults: Sendable {
    let stage: Stage

    func run() async throws {
        for fault in [
            Fault.status(500, xml: false), .status(503, xml: false), .reset, .replyLost, .keptNothing,
            .delay(.seconds(1)), .hang, .late(.seconds(3)),
        ] {
            let person = stage.stranger()
            stage.instance.board.set(Trap(step: 1, .before, .fault(fault), on: [.messages]))
            try await person.signIn(at: stage.url)
            stage.instance.board.set(nil)
        }
        stage.instance.board.refuse([.messages])
        let person = stage.stranger()
        async let signedIn: Void = person.signIn(at: stage.url)
        try await Task.sleep(for: .milliseconds(300))
        stage.instance.board.refuse([])
        try await signedIn
    }
}

/// Rules of which one call after the other is enough.
struct Sequences: Sendable {
    let stage: Stage

    func run() async throws {
        try await usedDay()
        try await reusedKey()
        try await usedCode()
        try await deletedPhoto()
        try await deletedAccount()
        try await hostileFiles()
        if try await stage.world.takesSecondRow() {
            broken(2, "the database takes a second row for one sender, group and day")
        }
    }

    private func broken(_ invariant: Int, _ text: String) {
        stage.world.history.note(.broken(invariant: invariant, text))
    }

    /// A photo's expiry gives the day not back, and nothing is shown after it.
    private func usedDay() async throws {
        let group = try await stage.group()
        let sent = await stage.ada.upload(to: group, key: "first", at: stage.url)
        await stage.look(at: group, by: [stage.ben])
        await stage.ada.deletePhoto(sent.photos.first?.id ?? "", at: stage.url)
        if await !stage.ben.feed(group, at: stage.url).photos.isEmpty {
            broken(4, "a photo is shown after its end")
        }
        try await stage.instance.run("sweep", "--once")
        await stage.ada.upload(to: group, key: "second", bytes: 2, at: stage.url)
    }

    private func reusedKey() async throws {
        let group = try await stage.group()
        for bytes in [1, 2, 1] {
            await stage.ada.upload(to: group, key: "one", bytes: bytes, at: stage.url)
        }
        await stage.look(at: group, by: [stage.ada, stage.ben, stage.stranger()])
    }

    /// A removed member does not come back by the code that let them in, and sees nothing.
    private func usedCode() async throws {
        let cyd = stage.stranger()
        try await cyd.signIn(at: stage.url)
        guard let made = try await stage.ada.createGroup(inviting: [cyd], at: stage.url) else { return }
        await stage.ada.upload(to: made.id, key: "first", at: stage.url)
        await cyd.redeem(made.codes[0], of: made.id, at: stage.url)
        let seen = await cyd.feed(made.id, at: stage.url).photos
        await stage.ada.remove(cyd.id, from: made.id, at: stage.url)
        await cyd.feed(made.id, at: stage.url)
        for photo in seen { await cyd.photo(photo.id, at: stage.url) }
        await cyd.redeem(made.codes[0], of: made.id, at: stage.url)
        await cyd.feed(made.id, at: stage.url)
    }

    private func deletedPhoto() async throws {
        let group = try await stage.group()
        let sent = await stage.ada.upload(to: group, key: "first", at: stage.url)
        guard let photo = sent.photos.first else { return }
        let before = try await stage.world.keys().count
        await stage.ada.deletePhoto(photo.id, at: stage.url)
        if try await before - stage.world.keys().count < 2 {
            broken(3, "objects of a deleted photo stay though the store answers")
        }
    }

    private func deletedAccount() async throws {
        let cyd = stage.stranger()
        try await cyd.signIn(at: stage.url)
        let group = try await stage.group(of: cyd)
        await cyd.upload(to: group, key: "first", at: stage.url)
        await cyd.deleteAccount(at: stage.url)
        try await expectFewerObjects(2, of: "a deleted account")
        for trace in try await stage.world.traces(of: [cyd.id, cyd.number]) {
            broken(3, "of a deleted account is left: \(trace)")
        }
    }

    /// Expired photos go with the next sweep.
    private func expectFewerObjects(_ count: Int, of what: String) async throws {
        let before = try await stage.world.keys().count
        try await stage.instance.run("sweep", "--once")
        let gone = try await before - stage.world.keys().count
        if gone < count { broken(3, "objects of \(what) stay after a sweep") }
    }

    private func hostileFiles() async throws {
        for file in HostileFiles.all {
            await stage.ada.upload(file, to: try await stage.group(), key: "hostile", at: stage.url)
        }
    }
}
