import DaylyAPI
import DaylyClient
import Foundation

extension FakeState {
    /// Answers a request as the service would, or with 204.
    mutating func answer(to request: TransportRequest) -> StubAnswer {
        if let name = request.url.pathComponents.first(where: { parts[$0] != nil }), var part = parts[name] {
            defer { parts[name] = part }
            return part.answer(to: request, in: scene)
        }
        guard let operation = Operation.all.called(by: request) else { return picture(request) }
        let id = request.url.pathComponents.lazy.compactMap { UUID(uuidString: $0) }.first.map(
            ResourceID.init)
        switch operation {
        case .requestVerification: return .json(verification, status: 202)
        case .verify: return signIn(request)
        case .refresh: return .json(tokens)
        case .getUser: return .json(user)
        case .updateUser: return update(request)
        case .listSessions: return .json(SessionList(sessions: []))
        case .listBlocks: return .json(BlockList(blocks: []))
        case .streamEvents: return events()
        case .listReceivedInvites: return .json(ReceivedInviteList(invites: invites))
        case .listGroups: return .json(GroupList(groups: groups))
        case .createGroup: return createGroup(request)
        case .getLiveness: return .json(ServiceHealth(status: "ok"))
        case .getReadiness: return .json(ServiceHealth(status: "ready"))
        default: return id.map { answer(operation, $0, request) } ?? .done
        }
    }

    private mutating func answer(
        _ operation: DaylyClient.Operation, _ id: ResourceID, _ request: TransportRequest
    ) -> StubAnswer {
        switch operation {
        case .getGroup: return groups.first { $0.id == id }.map { .json($0) } ?? .problem(404, .notFound)
        case .renameGroup: return rename(id, request)
        case .leaveGroup:
            groups.removeAll { $0.id == id }
            photos.removeAll { $0.groupID == id }
            return .done
        case .listGroupInvites: return .json(GroupInviteList(invites: []))
        case .listPhotos, .listTodaysPhotos: return .json(feed(of: id))
        case .sendPhoto: return send(request, to: id)
        case .createUploadTicket:
            return .json(UploadTicket(ticket: "fake", expiresAt: now.addingTimeInterval(86_400)), status: 201)
        case .getPhoto: return photos.first { $0.id == id }.map { .json($0) } ?? .problem(404, .notFound)
        case .deletePhoto:
            photos.removeAll { $0.id == id }
            return .done
        default: return .done
        }
    }

    private var verification: VerificationStarted {
        VerificationStarted(
            verificationID: ResourceID(UUID()), expiresAt: now.addingTimeInterval(300), expiresIn: 300,
            resendAfter: 30)
    }

    private var tokens: TokenResponse {
        TokenResponse(accessToken: "fake", refreshToken: "fake", expiresIn: 900, user: user, isNewUser: false)
    }

    private func signIn(_ request: TransportRequest) -> StubAnswer {
        body(request, VerifyRequest.self)?.code == FakeService.wrongCode
            ? .problem(401, ProblemCode.verificationFailed.rawValue, attemptsRemaining: 4) : .json(tokens)
    }

    private mutating func update(_ request: TransportRequest) -> StubAnswer {
        let patch = body(request, UserPatch.self)
        user.firstName = patch?.firstName ?? user.firstName
        user.timeZone = patch?.timeZone ?? user.timeZone
        user.discoverable = patch?.discoverable ?? user.discoverable
        return .json(user)
    }

    private mutating func createGroup(_ request: TransportRequest) -> StubAnswer {
        guard groups.count < 5 else { return .problem(409, .groupLimitReached) }
        _ = addGroup(body(request, GroupCreation.self)?.name ?? "")
        return .json(GroupCreated(group: groups[groups.count - 1], invitations: []), status: 201)
    }

    private mutating func rename(_ group: ResourceID, _ request: TransportRequest) -> StubAnswer {
        guard let index = groups.firstIndex(where: { $0.id == group }) else {
            return .problem(404, .notFound)
        }
        groups[index].name = body(request, GroupRename.self)?.name ?? groups[index].name
        return .json(groups[index])
    }

    private mutating func events() -> StubAnswer {
        let (body, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        continuation.yield(Data(": ready\n\n".utf8))
        streams.append(continuation)
        return StubAnswer(
            TransportHead(status: 200, headers: ["Content-Type": "text/event-stream"]), body: body)
    }

    private func picture(_ request: TransportRequest) -> StubAnswer {
        let id = UUID(uuidString: request.url.lastPathComponent).map(ResourceID.init)
        guard let picture = id.flatMap({ pictures[$0] }) else { return .problem(404, .notFound) }
        return StubAnswer(TransportHead(status: 200, headers: ["Content-Type": "image/jpeg"]), body: picture)
    }

    func body<Value: Decodable>(_ request: TransportRequest, _ type: Value.Type) -> Value? {
        request.body.flatMap { try? ClientJSON.decode(type, from: $0) }
    }
}
