import Settings

/// The limits of groups and invitations.
package struct GroupSettings: SettingGroup {
    @Setting("limits.groups_per_user", .number(1...1_000), default: "5", "Groups that one user may be in.")
    package var groupsPerUser: Int

    @Setting("limits.members_per_group", .number(2...1_000), default: "12", "Members of one group.")
    package var membersPerGroup: Int

    @Setting(
        "limits.removals_per_day", .count, default: "3",
        "Members whom one member may take out of groups in a day, by removing or blocking them.")
    package var removalsPerDay: Int

    @Setting(
        "limits.contact_checks_per_day", .count, default: "500",
        "Numbers that one user may look up in a day. A number counts once a day.")
    package var checksPerUserAndDay: Int

    @Setting(
        "invites.lifetime", .duration(.seconds(1) ... .days(365)), default: "7d",
        "How long an invitation stays open.")
    package var inviteLifetime: Duration

    @Setting(
        "invites.open_per_group", .count, default: "24",
        "Open invitations of one group. They may outnumber its seats, because the seat is decided when "
            + "somebody joins."
    )
    package var openInvitesPerGroup: Int

    @Setting(
        "invites.sms_per_sender_and_day", .count, default: "20",
        "Invitation messages that one user may cause in a day.")
    package var messagesPerSenderAndDay: Int

    @Setting(
        "invites.sms_per_recipient_and_month", .count, default: "3",
        "Invitation SMS to one number in 30 days, from all senders together. Beyond it an invitation stands "
            + "without an SMS."
    )
    package var messagesPerRecipient: Int

    /// The least time between two SMS for one invitation.
    package var messageResendPause: Duration = .seconds(600)

    /// Wrong invitation codes by one user in an hour: a code has six characters, which people mistype and nobody guesses so.
    package var wrongCodesPerUser = 10

    /// Wrong invitation codes from one address in an hour. A right code is accepted even when other people at the address have
    /// used the limit up.
    package var wrongCodesPerAddress = 100

    @Setting(
        "events.retention", .duration(.seconds(1) ... .days(365)), default: "72h",
        "How long events are kept at least. An older cursor is answered 410. Above 4 days, events are "
            + "deleted one by one instead of a day at a time."
    )
    var eventRetention: Duration

    /// How long a finished invitation is kept, so that a repeated redemption finds its answer.
    var inviteRetention: Duration = .days(30)
    /// Groups that one user may create in a day, including deleted ones.
    var creationsPerDay = 60
    /// Push messages about invitations to one user in a day, from all inviters together.
    var pushesPerRecipient = 10
    /// Numbers that one call of `check-users` may name.
    var numbersPerCheck = 50
    /// How long a former member can still be blocked by those who were in the group with them.
    var memoryOfMembers: Duration = .days(30)

    package init() {}

    /// Numbers that one call may name: one for every member but the caller.
    var numbersPerCall: Int { membersPerGroup - 1 }
}

extension SettingKind where Value == Int {
    fileprivate static var count: Self { .number(1...100_000) }
}
