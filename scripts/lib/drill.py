"""A small life in a service, for scripts/restore-drill: people, groups and photos, erasures, and what is left.

    drill.py live API STATE LOG     signs people in, and makes groups and photos
    drill.py more API STATE         adds a group with photos
    drill.py erase API STATE        erases an account, a photo, a membership, a group and a session, and notes the rest
    drill.py back API STATE URL     finds the erased things in a restored database, before a service runs on it
    drill.py check API STATE URL    compares the service with the notes

It ends with 1 and a sentence at the first difference. LOG is the service's log, in which the codes stand.
"""
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request

PEOPLE = {"ada": "+14155550101", "bob": "+14155550102", "cem": "+14155550103", "dan": "+14155550104"}
# Members of a photo that stay the same over a restore. URLs are signed anew.
PHOTO = ["id", "sender_id", "created_at", "expires_at", "width", "height", "thumbhash"]
picture = pathlib.Path(__file__).resolve().parents[2].joinpath("docs/sample.jpg").read_bytes()
command, api, state_file = sys.argv[1:4]
state = json.loads(pathlib.Path(state_file).read_text()) if command != "live" else {"tokens": {}, "users": {}}


def save():
    pathlib.Path(state_file).write_text(json.dumps(state, indent=1))


def call(method, path, token=None, body=None, expect=(200, 201, 202, 204), **headers):
    """The answer's JSON, or its bytes."""
    data = body
    if isinstance(body, dict):
        data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
    if token:
        headers["Authorization"] = f"Bearer {token}"
    url = path if path.startswith("http") else api + path
    request = urllib.request.Request(url, data, {k.replace("_", "-"): v for k, v in headers.items()}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            status, content = answer.status, answer.read()
            kind = answer.headers.get("Content-Type", "")
    except urllib.error.HTTPError as error:
        status, content, kind = error.code, error.read(), ""
    if status not in expect:
        sys.exit(f"{method} {path} answered {status}: {content[:300]}")
    return json.loads(content) if "json" in kind and content else content


def code_of(number, log, count):
    """The code of the COUNTth SMS to the number."""
    pattern = re.compile(r"SMS to " + re.escape(number) + r":.*?code is: (\d{6})")
    for _ in range(100):
        found = pattern.findall(pathlib.Path(log).read_text())
        if len(found) >= count:
            return found[count - 1]
        time.sleep(0.1)
    sys.exit(f"no code came for {number}")


def sign_in(name, log, count=1):
    number = PEOPLE[name]
    asked = call("POST", "/v1/auth/request-verification", body={"phone_number": number})
    signed = call("POST", "/v1/auth/verify", body={
        "verification_id": asked["verification_id"], "code": code_of(number, log, count),
        "first_name": name.title(), "time_zone": "Europe/Berlin"})
    return signed


def token(name):
    return state["tokens"][name]


def group_of(name, owner, *members):
    made = call("POST", "/v1/groups", token(owner), {
        "name": name, "member_phone_numbers": [PEOPLE[member] for member in members]})
    for member, invitation in zip(members, made["invitations"]):
        call("POST", "/v1/invites/redeem", token(member), {"code": invitation["code"]})
    state[name] = made["group"]["id"]


def send(name, group):
    """A picture of its own for each sender and group: bytes after the end of a JPEG make it one."""
    sent = call("POST", f"/v1/groups/{state[group]}/photos", token(name), picture, Content_Type="image/jpeg",
                Idempotency_Key=f"{name}-{group}")
    state[f"{name}-{group}"] = sent["id"]


def live(log):
    for name in PEOPLE:
        signed = sign_in(name, log)
        state["tokens"][name], state["users"][name] = signed["access_token"], signed["user"]["id"]
    other = sign_in("ada", log, 2)
    state["tokens"]["ada's old phone"], state["refresh"] = other["access_token"], other["refresh_token"]
    sessions = call("GET", "/v1/auth/sessions", token("ada's old phone"))["sessions"]
    state["session"] = next(session["id"] for session in sessions if session["current"])
    group_of("family", "ada", "bob", "cem", "dan")
    group_of("gone", "dan", "bob")
    for name in PEOPLE:
        send(name, "family")
    save()


def more():
    group_of("late", "bob", "ada")
    send("bob", "late")
    send("ada", "late")
    save()


def view():
    """All that the people who are left see of the service."""
    seen = {}
    for name in ("ada", "bob", "dan"):
        groups = call("GET", "/v1/groups", token(name))["groups"]
        feeds = {}
        for group in groups:
            photos = call("GET", f"/v1/groups/{group['id']}/photos", token(name))["photos"]
            feeds[group["name"]] = sorted(
                ([photo[key] for key in PHOTO] + [hashlib.sha256(call("GET", photo["url"])).hexdigest()]
                 for photo in photos), key=str)
        me = call("GET", "/v1/users/me", token(name))
        seen[name] = {"me": [me["id"], me["first_name"]], "feeds": feeds}
    return seen


def erase():
    photos = call("GET", f"/v1/groups/{state['family']}/photos", token("ada"))["photos"]
    state["urls"] = [photo["url"] for photo in photos if photo["id"] in (state["ada-family"], state["cem-family"])]
    call("DELETE", "/v1/users/me", token("cem"))
    call("DELETE", f"/v1/photos/{state['ada-family']}", token("ada"))
    call("DELETE", f"/v1/groups/{state['late']}", token("ada"))
    call("DELETE", f"/v1/groups/{state['gone']}", token("bob"))
    call("DELETE", f"/v1/groups/{state['gone']}", token("dan"))
    call("POST", "/v1/auth/logout", body={"refresh_token": state["refresh"]})
    time.sleep(1)
    state["view"] = view()
    save()


def erased(url):
    """The erased things that the database has."""
    users = state["users"]
    kinds = {
        "an account": f"FROM users WHERE id = '{users['cem']}'",
        "a deleted photo": f"FROM photos WHERE id = '{state['ada-family']}' AND expires_at > now()",
        "the photo of a deleted account": f"FROM photos WHERE id = '{state['cem-family']}'",
        "a group": f"FROM groups WHERE id = '{state['gone']}'",
        "a membership": f"FROM group_members WHERE group_id = '{state['late']}' AND user_id = '{users['ada']}'",
        "a session": f"FROM sessions WHERE id = '{state['session']}' AND ended_at IS NULL",
    }
    sql = "; ".join(f"SELECT '{kind}' {rest}" for kind, rest in kinds.items())
    found = subprocess.run(["psql", "-XAtq", url, "-c", sql], check=True, capture_output=True, text=True).stdout
    return found.splitlines()


def back(url):
    if len(erased(url)) != 6:
        sys.exit(f"of the erased things the backup brought only {erased(url)} back: the drill would prove nothing")


def check(url):
    if found := erased(url):
        sys.exit(f"the restored database has {', '.join(found)}")
    for name in ("cem", "ada's old phone"):
        call("GET", "/v1/users/me", token(name), expect=(401,))
    for picture_url in state["urls"]:
        call("GET", picture_url, expect=(404,))
    found = json.loads(json.dumps(view()))
    for name, before in state["view"].items():
        if found[name] != before:
            sys.exit(f"{name} sees something else than before:\n{json.dumps(before)}\n{json.dumps(found[name])}")
    photos = sum(len(photos) for seen in found.values() for photos in seen["feeds"].values())
    print(f"all erased things are gone, and the {photos} photos in the feeds of 3 people are as they were")


{"live": live, "more": more, "erase": erase, "back": back, "check": check}[command](*sys.argv[4:])
