import DeviceIntake
import Foundation

extension Date {
    /// An instant as answers give it.
    package init(instant: Instant) { self.init(timeIntervalSince1970: Double(instant)) }

    /// The whole second in which the date lies. Fractions are cut off.
    package var instant: Instant { Instant(timeIntervalSince1970.rounded(.down)) }
}
