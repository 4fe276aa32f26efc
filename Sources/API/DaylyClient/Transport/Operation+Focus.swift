extension Operation {
    /// The route of a call of Focus.
    var focusRoute: (method: TransportRequest.Method, path: String) {
        let (method, path) = measuringRoute ?? peopleRoute ?? actsRoute ?? limitsRoute
        return (method, "/v1/focus" + path)
    }

    private typealias Route = (TransportRequest.Method, String)

    /// Phones, and what they measure.
    private var measuringRoute: Route? {
        switch self {
        case .getFocusProfile: (.get, "/profile")
        case .putFocusProfile: (.put, "/profile")
        case .leaveFocus: (.delete, "/profile")
        case .listFocusDevices: (.get, "/devices")
        case .getFocusDevice: (.get, "/devices/{}")
        case .putFocusDevice: (.put, "/devices/{}")
        case .deleteFocusDevice: (.delete, "/devices/{}")
        case .verifyFocusDevice: (.post, "/devices/{}/verification")
        case .syncFocus: (.post, "/sync")
        case .getFocusNow: (.get, "/now")
        case .listFocusWeeks: (.get, "/weeks")
        case .getFocusWeek: (.get, "/weeks/{}")
        case .getFocusDay: (.get, "/days/{}")
        case .rateFocusDay: (.put, "/days/{}/rating")
        default: nil
        }
    }

    private var peopleRoute: Route? {
        switch self {
        case .getFocusBoard: (.get, "/groups/{}/board")
        case .getFocusLeague: (.get, "/league")
        case .listFollowing: (.get, "/following")
        case .listFollowers: (.get, "/followers")
        case .follow: (.put, "/following/{}")
        case .unfollow: (.delete, "/following/{}")
        case .followByNickname: (.put, "/following/by-nickname/{}")
        case .removeFollower: (.delete, "/followers/{}")
        case .getFocusPerson: (.get, "/people/{}")
        case .getFocusFeed: (.get, "/feed")
        default: nil
        }
    }

    /// Things that the user does on purpose.
    private var actsRoute: Route? {
        switch self {
        case .getTemptations: (.get, "/temptations")
        case .putTemptations: (.put, "/temptations")
        case .listFocusSessions: (.get, "/sessions")
        case .startFocusSession: (.post, "/sessions")
        case .getFocusSession: (.get, "/sessions/{}")
        case .endFocusSession: (.post, "/sessions/{}/end")
        case .getFocusStats: (.get, "/stats")
        case .finishTutorial: (.post, "/tutorial")
        case .getFocusQuip: (.get, "/quips")
        case .claimPurchase: (.post, "/pro")
        default: nil
        }
    }

    private var limitsRoute: Route {
        switch self {
        case .listSchedules: (.get, "/schedules")
        case .createSchedule: (.post, "/schedules")
        case .putSchedule: (.put, "/schedules/{}")
        case .deleteSchedule: (.delete, "/schedules/{}")
        case .listIntentions: (.get, "/intentions")
        case .createIntention: (.post, "/intentions")
        case .putIntention: (.put, "/intentions/{}")
        case .deleteIntention: (.delete, "/intentions/{}")
        case .freezeIntentions: (.post, "/freeze")
        case .listPartners: (.get, "/partners")
        case .askPartner: (.put, "/partners/{}")
        case .endPartner: (.delete, "/partners/{}")
        case .acceptPartner: (.post, "/partners/{}/accept")
        default: preconditionFailure("\(self) has no route")
        }
    }
}
