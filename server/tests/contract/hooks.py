"""What schemathesis can't know by itself: which token opens what, and what there is to look at.

Loaded by schemathesis. CALLER says who calls, FILM is what a human sends, STAGE names a file in which the
test says what it has prepared. Which statuses each operation answered with goes to the file SEEN names.
"""

import atexit
import json
import os

import requests
import schemathesis
from hypothesis.strategies import fixed_dictionaries, just, sampled_from
from schemathesis.auths import GLOBAL_AUTH_STORAGE, AuthContext

CALLER = os.environ["CALLER"]
with open(os.environ["STAGE"]) as file:
    STAGE = json.load(file)
with open(os.environ["FILM"], "rb") as file:
    FILM = file.read()

SUBMITTED, AWAITING, DOOMED = STAGE["submitted"], STAGE["awaiting"], STAGE["doomed"]

# What there is to be had, by operation.
IDS = {
    "getRequest": [it["id"] for it in SUBMITTED + AWAITING],
    "deleteRequest": [it["id"] for it in DOOMED],
    "streamVideo": [it["video"] for it in SUBMITTED],
    "getVideoMetadata": [it["video"] for it in SUBMITTED],
    "getStill": [it["video"] for it in SUBMITTED],
}

# No schema says which of all strings these are.
ETAGS = [it["etag"] for it in SUBMITTED]
HEADERS = {
    "getRequest": {
        "Prefer": ["wait=0", "respond-async, wait=0", "handling=lenient", "wait=1"],
    },
    "streamVideo": {
        "Range": ["bytes=0-", "bytes=1-9", "bytes=-9", "bytes=0-1,2-3", "bytes=99999999-", "lines=1-"],
        "If-Range": ETAGS,
        "If-None-Match": [*ETAGS, "*", '"other"'],
        "If-Match": [*ETAGS, "*", '"other"'],
    },
}

# By the id of a request or of a video.
tokens = {it["id"]: it["token"] for it in SUBMITTED + AWAITING + DOOMED}
tokens |= {it["video"]: it["token"] for it in SUBMITTED}

seen = set()


@schemathesis.hook
def flatmap_path_parameters(context, path_parameters):
    """Mostly something that exists."""
    if not path_parameters or "id" not in path_parameters:
        return just(path_parameters)
    ids = sampled_from([*IDS[name(context.operation)], path_parameters["id"]])
    if "at_ms" not in path_parameters:
        return ids.map(lambda it: {**path_parameters, "id": it})
    # Of its first moment every video has a picture.
    moments = sampled_from([0, path_parameters["at_ms"]])
    return fixed_dictionaries({"id": ids, "at_ms": moments})


@schemathesis.hook
def flatmap_headers(context, headers):
    """Often something that means something."""
    known = HEADERS.get(name(context.operation), {})
    chosen = {header: sampled_from(values) for header, values in known.items()}
    return fixed_dictionaries({}, optional=chosen).map(lambda it: {**(headers or {}), **it})


@schemathesis.hook
def before_add_examples(context, examples):
    """Each of these once, alone, of something that exists."""
    operation = name(context.operation)
    for header, values in HEADERS.get(operation, {}).items():
        for value in values:
            path, headers = {"id": IDS[operation][0]}, {header: value}
            case = context.operation.Case(path_parameters=path, headers=headers)
            # Examples from elsewhere come without.
            GLOBAL_AUTH_STORAGE.set(case, AuthContext(operation=context.operation, app=None))
            examples.append(case)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Nobody here has the time that the example in the document takes."""
    if case.headers.get("Prefer") == "wait=30":
        case.headers["Prefer"] = "wait=1"


def token(id):
    """The one that the caller has for this id."""
    match CALLER:
        case "nobody":
            return None
        case "forger":
            return "vidence_" + "A" * 43
        case "stranger":
            return STAGE["stranger"]
    # Its owner's. For what doesn't exist, one for something else.
    return tokens.get(id, STAGE["stranger"])


@schemathesis.auth(refresh_interval=None)
class Bearer:
    """How a token is shown."""

    def get(self, case, context):
        return token(case.path_parameters.get("id"))

    def set(self, case, token, context):
        if token is not None:
            case.headers["Authorization"] = f"Bearer {token}"


@schemathesis.check
def nobody_else_gets_in(context, response, case):
    """What belongs to somebody is for that one only, however one asks."""
    refusals = {
        "nobody": {401, 429},
        "forger": {401, 429},
        "stranger": {401, 403, 404, 429},
    }
    if CALLER in refusals and name(case.operation) in IDS and is_its_own(case):
        assert response.status_code in refusals[CALLER], f"{response.status_code} for a {CALLER}"


@schemathesis.hook
def after_call(context, case, response):
    """Notes what came, and the tokens of what was created on the way."""
    operation = name(case.operation)
    if not is_its_own(case):
        return
    seen.add((operation, response.status_code))
    if operation == "createRequest" and response.status_code == 201:
        created = response.json()
        tokens[created["id"]] = created["access_token"]
        if STAGE["humans_submit"]:
            submit(created["submission_url"])
    elif operation == "getRequest" and response.status_code == 200:
        request = response.json()
        if "video" in request:
            tokens[request["video"]["id"]] = tokens[request["id"]]


def submit(link):
    """The human's part."""
    take = requests.post(f"{link}/takes", FILM, headers={"Content-Type": "video/webm"})
    take.raise_for_status()
    take = take.headers["Location"].rpartition("/")[2]
    requests.post(f"{link}/submission", json={"take": take}).raise_for_status()


def name(operation):
    return operation.definition.raw["operationId"]


def is_its_own(case):
    """Not another method, by which schemathesis tries what isn't described."""
    return case.method.upper() == case.operation.method.upper()


@atexit.register
def tell():
    with open(os.environ["SEEN"], "w") as file:
        json.dump(sorted(seen), file)
