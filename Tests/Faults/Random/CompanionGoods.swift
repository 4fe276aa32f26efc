/// The default catalogue and the rules of pets as the contract has them, to be held against the service.
enum CompanionGoods {
    struct Food: Sendable {
        let id: String
        let energy: Int
        let fullness: Int
        let mood: Int
    }

    struct Cosmetic: Sendable {
        let id: String
        let category: String
        var energy: Int?
        var gems: Int?

        func price(in currency: String) -> Int? { currency == "energy" ? energy : gems }
    }

    static func foods(of species: String) -> [Food] {
        let isCat = species == "cat"
        return [
            Food(id: "kibble", energy: 25, fullness: 10, mood: 0),
            Food(id: "snack", energy: 30, fullness: 5, mood: 2),
            Food(id: "dinner", energy: 50, fullness: isCat ? 25 : 20, mood: 1),
            isCat
                ? Food(id: "tuna", energy: 60, fullness: 25, mood: 1)
                : Food(id: "bone", energy: 60, fullness: 20, mood: 2),
            Food(id: "feast", energy: 100, fullness: 40, mood: 2),
        ]
    }

    static let cosmetics = [
        Cosmetic(id: "red_scarf", category: "neck", energy: 80),
        Cosmetic(id: "blue_bandana", category: "neck", gems: 40),
        Cosmetic(id: "straw_hat", category: "head", gems: 80),
        Cosmetic(id: "flower_crown", category: "head", energy: 120, gems: 60),
        Cosmetic(id: "round_glasses", category: "face", energy: 100),
        Cosmetic(id: "cozy_blanket", category: "place", gems: 150),
    ]

    static let gems = [100, 500, 1_200]
}
