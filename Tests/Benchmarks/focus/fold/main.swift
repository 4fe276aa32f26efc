// Measures the fold of streaks beside a bare loop of logarithms: `fold EVENTS` prints the steps of each in a second, as JSON.

import DeviceIntake
import FocusRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A loop over `steps` steps. It returns a sum, so that the compiler keeps the work.
struct Loop {
    let name: String
    let steps: Int
    let run: () -> Double
}

/// How often a second each loop takes its step, in the fastest of many short runs. The loops run in turns, so that all of them
/// meet the same moments at which the machine has other work.
func rates(_ loops: [Loop]) -> [Int] {
    let clock = ContinuousClock()
    var (fastest, sum) = (loops.map { _ in Double.infinity }, 0.0)
    for _ in 0..<400 {
        for (index, loop) in loops.enumerated() {
            let repetitions = max(1, 50_000 / loop.steps)
            let time = clock.measure { for _ in 0..<repetitions { sum += loop.run() } }
            fastest[index] = min(fastest[index], time / .seconds(repetitions))
        }
    }
    precondition(sum > 0)
    return zip(loops, fastest).map { Int(Double($0.steps) / $1) }
}

/// The events of a user with 100 locks and unlocks a day.
func events(_ count: Int, devices: Int) -> [StreakEvent] {
    (0..<count).map { index in
        let at = 1_772_409_600 + index * 432
        return StreakEvent(
            at: at, device: index / 2 % devices + 1, seq: index + 1, day: utcDay(of: at),
            effect: index % 2 == 0 ? .lock : .unlock)
    }
}

/// The fold of all events.
func fold(_ events: [StreakEvent]) -> FoldedStreaks {
    var history = StreakHistory()
    return history.fold(events, hold: 180, now: events[events.count - 1].at)
}

/// The bare loop to which the fold is compared.
func logarithms(_ seconds: [Double]) -> Double {
    var sum = 0.0
    for value in seconds { sum += log(value / 60) }
    return sum
}

func loops(_ count: Int) -> [Loop] {
    let one = events(count, devices: 1)
    let three = events(count, devices: 3)
    let seconds = (0..<count).map { Double(61 + $0 % 86_400) }
    return [
        Loop(name: "logs", steps: count) { logarithms(seconds) },
        Loop(name: "events", steps: count) { Double(fold(one).streaks.count) },
        Loop(name: "events_of_three_phones", steps: count) { Double(fold(three).streaks.count) },
        Loop(name: "events_with_points", steps: count) {
            fold(one).changed([]).reduce(0) { $0 + Double($1.after.figures(counted: 12).points) }
        },
    ]
}

let measured = loops(CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 2_000)
let figures = zip(measured, rates(measured)).map { "\"\($0.name)\": \($1)" }
print("{\(figures.joined(separator: ", "))}")
