/// A world with a running service and the people who act in it.
protocol ActingStage: Sendable {
    associatedtype Person: ActingPerson

    var world: World { get }
    var instance: Instance { get }
    var people: [Person] { get }
}

/// An act of a person, and the check that it had its effect once, however often a step of it was interrupted.
protocol InterruptedAct: Sendable {
    associatedtype Stage: ActingStage

    /// Carries out the act of that number; again, it sends the same bytes.
    ///
    /// - Returns: whether the answers say that it is done.
    var perform: @Sendable (Stage, Stage.Person, Int) async -> Bool { get }
    /// Notes what is lost or doubled after all acts of everybody.
    var check: @Sendable (Stage) async throws -> Void { get }

    /// Makes the situation of an act of these people, once, before the act is carried out.
    func prepare(_ stage: Stage, _ people: [Stage.Person]) async throws
}

extension InterruptedAct {
    func prepare(_ stage: Stage, _ people: [Stage.Person]) async throws {}
}
