/// How many codes go out and how many guesses are heard.
package struct CodeQuotas: Sendable {
    package var numberPerHour = 5
    package var numberPerDay = 10
    /// Of both, kept for addresses that verified the number before: a stranger cannot use them up.
    package var numberReserved = 2
    package var addressPerHour = 30
    /// Codes for the /16 of an IPv4 address or the /32 of an IPv6 one, in which thousands may ask at a time. Those that
    /// come to use do not count.
    package var networkPerHour = 120
    /// To all numbers that differ in their last four digits only.
    package var prefixPerHour = 100
    /// A prefix of whose last `prefixSample` codes less than `prefixVerifiedPercent` came to use is closed for
    /// `prefixPause`.
    package var prefixSample = 100
    package var prefixVerifiedPercent = 20
    package var prefixPause: Duration = .seconds(3_600)

    /// Wrong guesses within an hour, over all codes to a number; then `failuresPause`, and `failuresLongPause` when
    /// it happens again within a day of the last pause.
    package var failuresPerNumber = 15
    package var failuresPause: Duration = .seconds(3_600)
    package var failuresLongPause: Duration = .seconds(86_400)
    /// Wrong guesses within an hour from an address block: /24 of IPv4, /64 of IPv6.
    package var failuresPerBlock = 100
    /// Wrong guesses within a minute, from anywhere.
    package var failuresPerMinute = 300

    package init() {}
}
