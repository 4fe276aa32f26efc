"""The bare limit: DeleteObjects over kept connections, and nothing else. Called by measure.py."""

import base64
import datetime
import hashlib
import hmac
import http.client
import queue
import threading
import time
import urllib.parse
import xml.etree.ElementTree as ElementTree

KEYS_PER_REQUEST = 1000


class Bucket:
    """Signs (SigV4) and sends requests to one bucket, path style."""

    def __init__(self, endpoint, bucket, key, secret, region="us-east-1"):
        self.address = urllib.parse.urlsplit(endpoint).netloc
        self.bucket, self.key, self.secret, self.region = bucket, key, secret, region

    def headers(self, method, query, body):
        now = datetime.datetime.now(datetime.timezone.utc)
        stamp, day = now.strftime("%Y%m%dT%H%M%SZ"), now.strftime("%Y%m%d")
        payload = hashlib.sha256(body).hexdigest()
        headers = {"host": self.address, "x-amz-content-sha256": payload, "x-amz-date": stamp}
        if body:
            headers["content-md5"] = base64.b64encode(hashlib.md5(body).digest()).decode()
        names = ";".join(sorted(headers))
        lines = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
        request = f"{method}\n/{self.bucket}\n{query}\n{lines}\n{names}\n{payload}"
        scope = f"{day}/{self.region}/s3/aws4_request"
        text = f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
        signing_key = f"AWS4{self.secret}".encode()
        for part in scope.split("/"):
            signing_key = hmac.new(signing_key, part.encode(), hashlib.sha256).digest()
        signature = hmac.new(signing_key, text.encode(), hashlib.sha256).hexdigest()
        headers["authorization"] = (
            f"AWS4-HMAC-SHA256 Credential={self.key}/{scope}, SignedHeaders={names}, Signature={signature}"
        )
        return headers

    def send(self, connection, method, query, body=b""):
        path = f"/{self.bucket}" + (f"?{query}" if query else "")
        connection.request(method, path, body=body, headers=self.headers(method, query, body))
        answer = connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{method} was answered {answer.status}: {content[:200]!r}")
        return content

    def connect(self):
        return http.client.HTTPConnection(self.address, timeout=120)

    def delete(self, connection, keys):
        objects = "".join(f"<Object><Key>{key}</Key></Object>" for key in keys)
        body = (
            '<?xml version="1.0" encoding="UTF-8"?>'
            f'<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">{objects}</Delete>'
        ).encode()
        answer = ElementTree.fromstring(self.send(connection, "POST", "delete=", body))
        deleted = sum(1 for element in answer if element.tag.endswith("Deleted"))
        if deleted != len(keys):
            raise RuntimeError(f"{deleted} of {len(keys)} objects were deleted")

    def keys(self):
        """All keys, by ListObjectsV2."""
        connection, token, keys = self.connect(), None, []
        while True:
            # Sorted, as the signature wants it.
            query = "list-type=2&max-keys=1000"
            if token:
                query = f"continuation-token={urllib.parse.quote(token, safe='')}&{query}"
            page = ElementTree.fromstring(self.send(connection, "GET", query))
            space = page.tag[: page.tag.index("}") + 1] if page.tag.startswith("{") else ""
            keys += [element.findtext(f"{space}Key") for element in page.findall(f"{space}Contents")]
            token = page.findtext(f"{space}NextContinuationToken")
            if not token:
                return keys


def delete_all(bucket, keys, concurrency, keys_per_request=KEYS_PER_REQUEST):
    """Deletes all keys over so many connections; gives the seconds that took."""
    batches = queue.SimpleQueue()
    for start in range(0, len(keys), keys_per_request):
        batches.put(keys[start : start + keys_per_request])
    failures = []

    def work():
        connection = bucket.connect()
        try:
            while True:
                bucket.delete(connection, batches.get_nowait())
        except queue.Empty:
            connection.close()
        except Exception as error:  # told by the caller's thread
            failures.append(error)

    began = time.monotonic()
    threads = [threading.Thread(target=work) for _ in range(concurrency)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return time.monotonic() - began
