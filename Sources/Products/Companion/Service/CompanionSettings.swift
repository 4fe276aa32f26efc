import CompanionRules
import Settings
import StoreReceipts

/// The numbers of Companion that an operator may set.
package struct CompanionSettings: SettingGroup {
    @Setting(
        "companion.energy_max", .number(1...10_000), default: "150",
        "The energy of a day without phone use.")
    package var energyMax: Int

    @Setting(
        "companion.gamma", .positiveDecimal(upTo: 10), default: "1",
        "The exponent of the unused share of the limit in a day's energy, up to 10.")
    package var gamma: Double

    @Setting(
        "companion.fed_energy", .number(1...10_000), default: "100",
        "The energy that a day's food must have cost for the pet to be fed.")
    package var fedEnergy: Int

    @Setting(
        "companion.sick_after", .number(1...364), default: "3",
        "Unfed days in a row that make a pet sick.")
    package var sickAfter: Int

    @Setting(
        "companion.dead_after", .number(2...365), default: "7",
        "Unfed days in a row after which a pet dies; more than `companion.sick_after`.")
    package var deadAfter: Int

    @Setting(
        "companion.products",
        .forms(
            "a product with its gems", like: "com.example.gems.100=100",
            "[A-Za-z0-9_.-]{1,255}=[1-9][0-9]{0,6}"),
        default: "gems_100=100,gems_500=500,gems_1200=1200,gems_2500=2500",
        "The App Store products and their gems, comma-separated.")
    package var productTexts: [String]

    package init() {}

    /// The gems of each App Store product.
    var products: [String: Int] {
        Dictionary(
            productTexts.compactMap { text in
                let parts = text.split(separator: "=")
                return parts.last.flatMap { Int($0) }.map { (String(parts[0]), $0) }
            }, uniquingKeysWith: { $1 })
    }

    var petRules: PetRules { PetRules(fedEnergy: fedEnergy, sickAfter: sickAfter, deadAfter: deadAfter) }

    var award: AwardRules { AwardRules(energyMax: energyMax, gamma: gamma) }

    /// The faults of several settings together.
    package func problems(isOffered: Bool, appStore: StoreReceiptSettings) -> [ConfigurationProblem] {
        var found: [ConfigurationProblem] = []
        if isOffered, $productTexts.isGiven, appStore.$bundleID.isMissing {
            found.append(
                ConfigurationProblem(appStore.$bundleID, "is missing, and companion.products is given"))
        }
        if deadAfter <= sickAfter {
            found.append(
                ConfigurationProblem(
                    $deadAfter,
                    "is not greater than companion.sick_after, so no pet could be sick before it dies",
                    remedy: "Raise it, or lower companion.sick_after."))
        }
        return found
    }
}

extension SettingKind where Value == Double {
    /// A decimal number greater than 0.
    static func positiveDecimal(upTo limit: Double) -> Self {
        Self(placeholder: limit) { text throws(MalformedSetting) in
            guard text.wholeMatch(of: /[0-9]{1,3}(\.[0-9]{1,6})?/) != nil, let value = Double(text) else {
                throw MalformedSetting(
                    "is not a decimal number: \(MalformedSetting.quoted(text)). One looks like 1.5")
            }
            guard value > 0, value <= limit else {
                throw MalformedSetting("is \(text); it must be more than 0 and at most \(limit)")
            }
            return value
        }
    }
}
