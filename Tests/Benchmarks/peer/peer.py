"""Some of Dayly's calls as a FastAPI service, for comparison. It reads the service's database, tokens and bucket.

It takes the service's own environment variables (DAYLY_…), and runs as `uvicorn peer:app`.
"""

import asyncio
import base64
import functools
import hmac
import io
import os
import pathlib
import time
import uuid
import zoneinfo
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from datetime import time as clock_time
from typing import Annotated, NamedTuple

import asyncpg
import botocore.config
import botocore.session
import jwt
import orjson
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from fastapi import Depends, FastAPI, Request, Response
from PIL import Image, ImageCms, ImageOps

URL_LIFETIME = timedelta(hours=1)
PHOTO_EDGE, THUMBNAIL_EDGE, QUALITY = 2048, 480, 80


def setting(name):
    return os.environ["DAYLY_" + name.upper().replace(".", "_")]


class Keys:
    """The keys that the service keeps in its data folder."""

    def __init__(self, folder):
        pem = (folder / "signing-key.pem").read_bytes()
        self.tokens = load_pem_private_key(pem, None).public_key()
        secret = (folder / "secret").read_text().strip().encode()
        self.cursors = HKDF(hashes.SHA256(), 32, None, b"dayly cursors v1").derive(secret)


@asynccontextmanager
async def lifespan(app):
    app.state.keys = Keys(pathlib.Path(setting("data_dir")))
    app.state.issuer = setting("http.public_url")
    app.state.bucket = setting("storage.s3.bucket")
    app.state.s3 = botocore.session.get_session().create_client(
        "s3", region_name="us-east-1", endpoint_url=setting("storage.s3.endpoint"),
        aws_access_key_id=setting("storage.s3.access_key_id"),
        aws_secret_access_key=setting("storage.s3.secret_access_key"),
        config=botocore.config.Config(signature_version="s3v4", s3={"addressing_style": "path"}))
    async with asyncpg.create_pool(setting("database.url"), min_size=8, max_size=8) as pool:
        app.state.pool = pool
        await pool.execute(PHOTOS)
        yield


app = FastAPI(lifespan=lifespan, openapi_url=None)


class JSON(Response):
    media_type = "application/json"
    OPTIONS = orjson.OPT_UTC_Z | orjson.OPT_OMIT_MICROSECONDS

    def render(self, content):
        return orjson.dumps(content, option=self.OPTIONS, default=str)


class Problem(Exception):
    def __init__(self, status, code, title, detail, headers=None):
        self.status = status
        self.headers = headers
        self.body = {"type": f"/problems/{code}", "title": title, "status": status, "detail": detail, "code": code}


@app.exception_handler(Problem)
async def problem(_, error):
    return JSON(error.body | {"request_id": str(uuid.uuid4())}, error.status, error.headers,
                "application/problem+json")


def unauthorized():
    return Problem(401, "unauthorized", "Unauthorized", "The call needs a valid access token.",
                   {"WWW-Authenticate": 'Bearer error="invalid_token"'})


# The caller


class Caller(NamedTuple):
    user: uuid.UUID
    connection: asyncpg.Connection


@functools.lru_cache(maxsize=10_000)
def claims(token):
    """Keeps verified tokens: a signature is checked once. Refused tokens are not kept."""
    return jwt.decode(token, app.state.keys.tokens, ["ES256"], audience="dayly", issuer=app.state.issuer)


async def caller(request: Request):
    """Verifies the token, and asks the database whether the session is live."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        raise unauthorized()
    try:
        verified = claims(token)
    except jwt.InvalidTokenError:
        raise unauthorized() from None
    user = uuid.UUID(verified["sub"])
    async with request.app.state.pool.acquire() as connection:
        live = await connection.fetchval(
            """SELECT 1 FROM sessions
               WHERE id = $1 AND user_id = $2 AND ended_at IS NULL AND expires_at > now()""",
            uuid.UUID(verified["sid"]), user)
        if live is None or verified["exp"] <= time.time():
            raise unauthorized()
        yield Caller(user, connection)


Authenticated = Annotated[Caller, Depends(caller)]


# The calls


@app.get("/v1/users/me")
async def users_me(me: Authenticated):
    user = await me.connection.fetchrow(
        """SELECT id, phone_number, first_name, time_zone, discoverable, quiet_from, quiet_to, created_at
           FROM users WHERE id = $1""", me.user)
    return JSON(dict(user))


@app.get("/v1/groups")
async def groups(me: Authenticated):
    rows = await me.connection.fetch(
        """SELECT g.id, g.name, g.created_at, u.time_zone, slot.last_sent_on,
                  coalesce(m.muted_until > now(), false) AS muted,
                  (SELECT max(p.created_at) FROM photos p
                   WHERE p.group_id = g.id AND p.lease_until IS NULL AND p.expires_at > now()) AS last_photo_at
           FROM group_members m
           JOIN groups g ON g.id = m.group_id
           JOIN users u ON u.id = m.user_id
           LEFT JOIN photo_slots slot ON slot.group_id = m.group_id AND slot.sender_id = m.user_id
           WHERE m.user_id = $1
           ORDER BY g.created_at, g.id""", me.user)
    members = {row["id"]: [] for row in rows}
    for member in await me.connection.fetch(
            """SELECT m.group_id, m.user_id AS id, u.first_name, m.joined_at
               FROM group_members m
               JOIN users u ON u.id = m.user_id
               WHERE m.group_id = ANY($1)
               ORDER BY m.joined_at, m.user_id""", list(members)):
        group, *values = member.values()
        members[group].append(dict(zip(("id", "first_name", "joined_at"), values)))
    return JSON({"groups": [group_document(row, members[row["id"]]) for row in rows]})


def group_document(row, members):
    zone = zoneinfo.ZoneInfo(row["time_zone"])
    day = row["last_sent_on"]
    has_sent = day is not None and day >= datetime.now(zone).date()
    next_send_at = datetime.combine(day + timedelta(days=1), clock_time(), zone).astimezone(UTC) if has_sent else None
    return {
        "id": row["id"], "name": row["name"], "created_at": row["created_at"], "members": members,
        "member_count": len(members), "has_sent_today": has_sent, "next_send_at": next_send_at,
        "last_photo_at": row["last_photo_at"], "muted": row["muted"],
    }


@app.get("/v1/groups/{group_id}/photos")
async def feed(group_id: uuid.UUID, me: Authenticated):
    position = await me.connection.fetchrow(
        """SELECT g.last_event, (extract(epoch FROM g.last_event_at) * 1000000)::bigint & 4294967295 AS stamp
           FROM group_members m
           JOIN groups g ON g.id = m.group_id
           WHERE m.group_id = $1 AND m.user_id = $2""", group_id, me.user)
    if position is None:
        raise Problem(404, "not_found", "Not found", "There is nothing here that you can see.")
    rows = await me.connection.fetch(
        """SELECT p.id, p.group_id, p.sender_id, coalesce(u.first_name, 'User') AS sender_name, p.created_at,
                  p.expires_at, p.width, p.height, p.thumbhash, p.photo_key, p.thumbnail_key
           FROM photos p
           JOIN users u ON u.id = p.sender_id
           WHERE p.group_id = $1 AND p.expires_at > now()
           ORDER BY p.created_at, p.id""", group_id)
    now = datetime.now(UTC)
    return JSON({
        "photos": [photo_document(row, now) for row in rows], "removed": [],
        "cursor": cursor(position["last_event"], position["stamp"], group_id, me.user),
    })


def photo_document(row, now):
    lifetime = min(URL_LIFETIME, row["expires_at"] - now)
    shown = dict(row)
    shown["thumbhash"] = base64.b64encode(row["thumbhash"]).decode()
    shown["url"] = url(shown.pop("photo_key"), lifetime)
    shown["thumbnail_url"] = url(shown.pop("thumbnail_key"), lifetime)
    shown["url_expires_at"] = now + lifetime
    return shown


def url(key, lifetime):
    return app.state.s3.generate_presigned_url(
        "get_object", {"Bucket": app.state.bucket, "Key": key}, int(lifetime.total_seconds()))


def cursor(number, stamp, group_id, user):
    """The position in the group's log, with a code for this group and reader."""
    purpose = b"photos" + group_id.bytes
    message = b"\x01" + number.to_bytes(6) + (stamp if number else 0).to_bytes(4)
    sealed = bytes([len(purpose)]) + purpose + user.bytes + message
    code = hmac.digest(app.state.keys.cursors, sealed, "sha256")[:12]
    return base64.urlsafe_b64encode(message + code).rstrip(b"=").decode()


# Sending a photo

# Photos of the peer: the service's own table has triggers, which would be the service's work.
PHOTOS = """
CREATE TABLE IF NOT EXISTS peer_photos (
    id uuid PRIMARY KEY, group_id uuid NOT NULL, sender_id uuid NOT NULL, sent_on date NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(), expires_at timestamptz NOT NULL DEFAULT now() + interval '48 hours',
    width int NOT NULL, height int NOT NULL, photo_key text NOT NULL, thumbnail_key text NOT NULL,
    UNIQUE (group_id, sender_id, sent_on));
CREATE INDEX IF NOT EXISTS peer_photos_group ON peer_photos (group_id, created_at);
CREATE INDEX IF NOT EXISTS peer_photos_expiry ON peer_photos (expires_at);
"""


@app.post("/v1/groups/{group_id}/photos")
async def send_photo(group_id: uuid.UUID, request: Request, me: Authenticated):
    sender = await me.connection.fetchrow(
        """SELECT u.first_name AS sender_name, u.time_zone
           FROM group_members m
           JOIN users u ON u.id = m.user_id
           WHERE m.group_id = $1 AND m.user_id = $2""", group_id, me.user)
    if sender is None:
        raise Problem(404, "not_found", "Not found", "There is nothing here that you can see.")
    size, *files = await asyncio.to_thread(photo_and_thumbnail, await request.body())
    photo = uuid.uuid4()
    keys = [f"photos/{photo}/{uuid.uuid4()}.jpg" for _ in files]
    await asyncio.gather(*(asyncio.to_thread(put, key, file) for key, file in zip(keys, files)))
    today = datetime.now(zoneinfo.ZoneInfo(sender["time_zone"])).date()
    row = await me.connection.fetchrow(
        """INSERT INTO peer_photos (id, group_id, sender_id, sent_on, width, height, photo_key, thumbnail_key)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
           ON CONFLICT (group_id, sender_id, sent_on) DO NOTHING
           RETURNING id, group_id, sender_id, created_at, expires_at, width, height, photo_key, thumbnail_key""",
        photo, group_id, me.user, today, *size, *keys)
    if row is None:
        raise Problem(409, "daily_limit_reached", "Already sent", "You have sent this group a photo today.")
    shown = dict(row) | {"sender_name": sender["sender_name"], "thumbhash": b""}
    return JSON(photo_document(shown, datetime.now(UTC)), 201)


def photo_and_thumbnail(original):
    """By Pillow as its documentation advises: draft mode, Lanczos, upright, sRGB, one decode; without a ThumbHash."""
    picture = Image.open(io.BytesIO(original))
    profile = picture.info.get("icc_profile")
    picture.thumbnail((PHOTO_EDGE, PHOTO_EDGE), Image.Resampling.LANCZOS)
    ImageOps.exif_transpose(picture, in_place=True)
    if profile:
        picture = ImageCms.profileToProfile(
            picture, ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB"), outputMode="RGB")
    size, photo = picture.size, jpeg(picture)
    picture.thumbnail((THUMBNAIL_EDGE, THUMBNAIL_EDGE), Image.Resampling.LANCZOS)
    return size, photo, jpeg(picture)


def jpeg(picture):
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=QUALITY, optimize=True)
    return file.getvalue()


def put(key, file):
    app.state.s3.put_object(Bucket=app.state.bucket, Key=key, Body=file, ContentType="image/jpeg")
