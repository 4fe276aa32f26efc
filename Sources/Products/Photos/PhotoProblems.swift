import DaylyAPI

extension DailyPhotosFeature {
    /// The problems of the feature's own calls: their meanings, and what a client does about them.
    package static let problems: [ProblemCode: String] = [
        .alreadySentToday:
            "The caller has already sent a photo to this group today; `next_send_at` says when they may send the next.",
        .uploadInProgress: "Another upload for this day is in progress. Try again after `Retry-After`.",
        .photoGone: "The photo of this upload has expired or was deleted.",
        .uploadTooLarge: "The file of the picture is too large.",
        .unreadableImage: "The picture is damaged or incomplete.",
        .imageTooLarge: "The picture has too many pixels, sides that are too long, or too many scans.",
        .storageUnavailable: "The photo could not be stored. It does not count as today's photo; try again.",
    ]
}
