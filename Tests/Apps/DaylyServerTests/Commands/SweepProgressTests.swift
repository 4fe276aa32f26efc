import DailyPhotos
import Testing

@testable import DaylyServer

@Suite("The progress line of a sweep")
struct SweepProgressTests {
    private func line(deleted: Int, failed: Int = 0, due: Int, after seconds: Double) -> String {
        var report = SweepReport()
        report.deletedObjects = deleted
        report.failedObjects = failed
        report.backlog = Backlog(dueObjects: due, lagSeconds: 9, oldestObjectSeconds: 99)
        let began = ContinuousClock.now
        return SweepProgress(began: began).line(report, now: began + .seconds(seconds))
    }

    @Test("the line has the rate, the backlog and the time left once enough is known")
    func lines() {
        #expect(line(deleted: 0, due: 12_000, after: 0) == "0 objects deleted, 12,000 to go")
        #expect(
            line(deleted: 24_000, due: 1_176_000, after: 2)
                == "24,000 objects deleted, 1,176,000 to go, 12,000/s, 1 min 38 s left")
        #expect(line(deleted: 400, due: 0, after: 4) == "400 objects deleted, 0 to go, 100/s")
        #expect(
            line(deleted: 1, failed: 999, due: 7_200, after: 1)
                == "1 objects deleted, 7,200 to go, 1/s, 2 h 0 min left, 999 kept by the store")
    }

    @Test("a dry run reports the lag and the age of the oldest object")
    func state() {
        #expect(
            SweepProgress.state(Backlog(dueObjects: 2, lagSeconds: 61, oldestObjectSeconds: 172_861))
                == "The oldest has been due for 1 min 1 s; the oldest object was written 48 h 1 min ago."
        )
        #expect(
            SweepProgress.state(Backlog(dueObjects: 0, lagSeconds: 0, oldestObjectSeconds: 0))
                == "Nothing is due; there are no objects.")
    }
}
