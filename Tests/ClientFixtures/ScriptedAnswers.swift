import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation

/// A good answer to each request.
package enum ScriptedAnswers {
    package static let group = PhotoGroup(
        id: .numbered(1), name: "Breakfast", createdAt: Date(timeIntervalSince1970: 1_790_000_000),
        members: [], memberCount: 0, hasSentToday: false, nextSendAt: nil, lastPhotoAt: nil, muted: false)
    package static let photo = Photo(
        id: .numbered(3), groupID: .numbered(1), senderID: .numbered(1), senderName: "Ada",
        createdAt: Date(timeIntervalSince1970: 1_800_000_000),
        expiresAt: Date(timeIntervalSince1970: 1_800_172_800), width: 4, height: 3, thumbhash: "",
        url: "https://files.test/full?signature=1", thumbnailURL: "https://files.test/small?signature=1",
        urlExpiresAt: Date(timeIntervalSince1970: 1_800_003_600))

    package static func answer(to request: TransportRequest) -> StubAnswer {
        let operation = Operation.all.called(by: request)
        switch operation {
        case .requestVerification:
            let started = VerificationStarted(
                verificationID: .numbered(9), expiresAt: Date(timeIntervalSince1970: 1_800_000_300),
                expiresIn: 300, resendAfter: 30)
            return .json(started, status: 202)
        case .verify: return .json(TokenResponse.numbered(7, isNewUser: false))
        case .refresh: return .json(TokenResponse.numbered(8))
        case .listSessions: return .json(SessionList(sessions: []))
        case .getUser, .updateUser: return .json(User.ada)
        case .exportUser: return .json(["user": "Ada"])
        case .listBlocks: return .json(BlockList(blocks: []))
        case .listGroups: return .json(GroupList(groups: [group]))
        case .createGroup: return .json(GroupCreated(group: group, invitations: []), status: 201)
        case .getGroup, .renameGroup: return .json(group)
        case .getWebPushKey: return .json(WebPushKey(key: "key"))
        case .getLiveness: return .json(ServiceHealth(status: "ok"))
        case .getReadiness: return .json(ServiceHealth(status: "ready"))
        case .getDescription, .streamEvents:
            return StubAnswer(
                TransportHead(status: 200, headers: ["Content-Type": operation?.mediaType ?? ""]))
        case nil: return .problem(404, .notFound)
        default: return invitesAndPhotos(operation)
        }
    }

    private static func invitesAndPhotos(_ operation: DaylyClient.Operation?) -> StubAnswer {
        switch operation {
        case .listGroupInvites: .json(GroupInviteList(invites: []))
        case .checkUsers: .json(ContactCheckResult(existing: [], needsInvite: [], invalid: []))
        case .sendInvites: .json(InvitesSent(sent: []))
        case .listReceivedInvites: .json(ReceivedInviteList(invites: []))
        case .redeemInvite: .json(InviteRedeemed(groupID: group.id, groupName: group.name))
        case .listPhotos, .listTodaysPhotos:
            .json(DaylyAPI.PhotoFeed(photos: [photo], removed: [], cursor: "cursor"))
        case .sendPhoto: .json(photo, status: 201)
        case .getPhoto: .json(photo)
        case .createUploadTicket:
            .json(UploadTicket(ticket: "ticket", expiresAt: photo.expiresAt), status: 201)
        default: .done
        }
    }
}
