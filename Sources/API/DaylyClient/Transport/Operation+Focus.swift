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
        case .listFocusFollowing: (.get, "/following")
        case .listFocusFollowers: (.get, "/followers")
        case .followFocusUser: (.put, "/following/{}")
        case .unfollowFocusUser: (.delete, "/following/{}")
        case .followFocusNickname: (.put, "/following/by-nickname/{}")
        case .removeFocusFollower: (.delete, "/followers/{}")
        case .getFocusNickname: (.get, "/people/{}")
        case .getFocusFeed: (.get, "/feed")
        default: nil
        }
    }

    /// Things that the user does on purpose.
    private var actsRoute: Route? {
        switch self {
        case .getFocusTemptations: (.get, "/temptations")
        case .putFocusTemptations: (.put, "/temptations")
        case .listFocusSessions: (.get, "/sessions")
        case .startFocusSession: (.post, "/sessions")
        case .getFocusSession: (.get, "/sessions/{}")
        case .endFocusSession: (.post, "/sessions/{}/end")
        case .getFocusStats: (.get, "/stats")
        case .finishFocusTutorial: (.post, "/tutorial")
        case .getFocusQuip: (.get, "/quips")
        case .redeemFocusPro: (.post, "/pro")
        default: nil
        }
    }

    private var limitsRoute: Route {
        switch self {
        case .listFocusSchedules: (.get, "/schedules")
        case .createFocusSchedule: (.post, "/schedules")
        case .replaceFocusSchedule: (.put, "/schedules/{}")
        case .deleteFocusSchedule: (.delete, "/schedules/{}")
        case .listFocusIntentions: (.get, "/intentions")
        case .createFocusIntention: (.post, "/intentions")
        case .replaceFocusIntention: (.put, "/intentions/{}")
        case .deleteFocusIntention: (.delete, "/intentions/{}")
        case .freezeFocusDay: (.post, "/freeze")
        case .listFocusPartners: (.get, "/partners")
        case .askFocusPartner: (.put, "/partners/{}")
        case .endFocusPartner: (.delete, "/partners/{}")
        case .acceptFocusPartner: (.post, "/partners/{}/accept")
        default: preconditionFailure("\(self) has no route")
        }
    }
}
