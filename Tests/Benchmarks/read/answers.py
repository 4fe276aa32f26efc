"""Compares the service's answers with the peer's: a comparison of costs is only fair where both do the same."""

import sys
import urllib.parse
import urllib.request

# Both sign URLs from another instant on.
SIGNED_AT = {"X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires", "X-Amz-Signature"}


def require_equal(service, peer, calls):
    """Ends the bench when an answer of the peer differs from the service's in more than signatures and expiry."""
    for call in calls:
        for user in call.users:
            path = call.path(user)
            ours, theirs = service.get(path, call.token(user)), peer.get(path, call.token(user))
            if ours.status != theirs.status:
                sys.exit(f"error: {path}: the service answers {ours.status}, the peer {theirs.status}")
            found = difference(comparable(ours.json), comparable(theirs.json), path)
            if found:
                sys.exit(f"error: the answers differ: {found}")
        if call.name == "feed":
            require_same_pictures(ours.json, theirs.json)


def comparable(document):
    document.pop("request_id", None)
    for photo in document.get("photos", []):
        photo.pop("url_expires_at")
        for name in ("url", "thumbnail_url"):
            photo[name] = unsigned(photo[name])
    return document


def unsigned(url):
    parts = urllib.parse.urlsplit(url)
    query = dict(urllib.parse.parse_qsl(parts.query))
    return [parts.scheme, parts.netloc, parts.path, {
        name: "" if name in SIGNED_AT else value for name, value in query.items()}]


def difference(ours, theirs, place):
    """The first place at which two documents differ; None for equal ones."""
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        pairs = [(ours[key], theirs[key], f"{place} {key}") for key in ours]
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        pairs = [(*pair, f"{place} {index}") for index, pair in enumerate(zip(ours, theirs))]
    else:
        return None if ours == theirs else f"{place}: the service has {ours}, the peer {theirs}"
    return next(filter(None, (difference(*pair) for pair in pairs)), None)


def require_same_pictures(ours, theirs):
    """The store accepts the signatures of both."""
    for name in ("url", "thumbnail_url"):
        pictures = [urllib.request.urlopen(feed["photos"][0][name]).read() for feed in (ours, theirs)]
        if not pictures[0] or pictures[0] != pictures[1]:
            sys.exit(f"error: the pictures behind {name} differ")
