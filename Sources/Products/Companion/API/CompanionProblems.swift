import DaylyAPI

/// The problems that only calls of Companion answer.
extension ProblemCode {
    public static let companionNotJoined = ProblemCode("companion_not_joined")
    public static let petExists = ProblemCode("pet_exists")
    public static let wrongPetState = ProblemCode("wrong_pet_state")
    public static let notEnoughEnergy = ProblemCode("not_enough_energy")
    public static let notEnoughGems = ProblemCode("not_enough_gems")
    public static let recoveryUnavailable = ProblemCode("recovery_unavailable")
    public static let notOwned = ProblemCode("not_owned")
    public static let alreadyOwned = ProblemCode("already_owned")
    public static let outOfSeason = ProblemCode("out_of_season")
}
