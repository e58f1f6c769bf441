"""Hooks for schemathesis: access tokens, and ids of existing resources.

Loaded by schemathesis. Variables: CLIENT is the kind of client, RECORDING a recording, FIXTURES a JSON file with the
prepared resources, RESPONSES the file for the statuses that each operation answered with.
"""

import atexit
import json
import os

import requests
import schemathesis
from hypothesis.strategies import fixed_dictionaries, just, sampled_from
from schemathesis.auths import GLOBAL_AUTH_STORAGE, AuthContext

CLIENT = os.environ["CLIENT"]
with open(os.environ["FIXTURES"]) as file:
    FIXTURES = json.load(file)
with open(os.environ["RECORDING"], "rb") as file:
    RECORDING = file.read()

SUBMITTED, AWAITING, TO_DELETE = FIXTURES["submitted"], FIXTURES["awaiting"], FIXTURES["to_delete"]

# Ids of existing resources, by operation.
IDS = {
    "getRequest": [it["id"] for it in SUBMITTED + AWAITING],
    "deleteRequest": [it["id"] for it in TO_DELETE],
    "streamVideo": [it["video"] for it in SUBMITTED],
    "getVideoMetadata": [it["video"] for it in SUBMITTED],
    "getCaptions": [it["video"] for it in SUBMITTED],
    "getContactSheet": [it["video"] for it in SUBMITTED],
    "getReceipt": [it["video"] for it in SUBMITTED],
    "getStill": [it["video"] for it in SUBMITTED],
}

# Values that a schema can't express.
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

# Access tokens, by the id of a request or of a video.
tokens = {it["id"]: it["token"] for it in SUBMITTED + AWAITING + TO_DELETE}
tokens |= {it["video"]: it["token"] for it in SUBMITTED}

statuses = set()


@schemathesis.hook
def flatmap_path_parameters(context, path_parameters):
    """Mostly the id of an existing resource."""
    if not path_parameters or "id" not in path_parameters:
        return just(path_parameters)
    ids = sampled_from([*IDS[name(context.operation)], path_parameters["id"]])
    if "at_ms" not in path_parameters:
        return ids.map(lambda it: {**path_parameters, "id": it})
    # Every video has a still at 0 ms.
    times = sampled_from([0, path_parameters["at_ms"]])
    return fixed_dictionaries({"id": ids, "at_ms": times})


@schemathesis.hook
def flatmap_headers(context, headers):
    """Often a meaningful header value."""
    known = HEADERS.get(name(context.operation), {})
    chosen = {header: sampled_from(values) for header, values in known.items()}
    return fixed_dictionaries({}, optional=chosen).map(lambda it: {**(headers or {}), **it})


@schemathesis.hook
def before_add_examples(context, examples):
    """An existing video as it is, and each of these header values once, alone, for an existing resource."""
    operation = name(context.operation)
    known = [{header: value} for header, values in HEADERS.get(operation, {}).items() for value in values]
    if IDS.get(operation) == [it["video"] for it in SUBMITTED]:
        known.append({})
    for headers in known:
        path = {"id": IDS[operation][0]} | ({"at_ms": 0} if operation == "getStill" else {})
        case = context.operation.Case(path_parameters=path, headers=headers)
        # Added examples lack the authentication.
        GLOBAL_AUTH_STORAGE.set(case, AuthContext(operation=context.operation, app=None))
        examples.append(case)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Shortens the wait of the document's example."""
    if case.headers.get("Prefer") == "wait=30":
        case.headers["Prefer"] = "wait=1"


def token(id):
    """The access token that this kind of client has for an id."""
    match CLIENT:
        case "anonymous":
            return None
        case "forged_token":
            return "vidence_" + "A" * 43
        case "other_owner":
            return FIXTURES["other_token"]
    # The owner's. For an unknown id, the token of another request.
    return tokens.get(id, FIXTURES["other_token"])


@schemathesis.auth(refresh_interval=None)
class Bearer:
    """The Authorization header."""

    def get(self, case, context):
        return token(case.path_parameters.get("id"))

    def set(self, case, token, context):
        if token is not None:
            case.headers["Authorization"] = f"Bearer {token}"


@schemathesis.check
def only_the_owner_is_authorized(context, response, case):
    """Requests with another token, or none, are refused whatever the call."""
    refusals = {
        "anonymous": {401, 429},
        "forged_token": {401, 429},
        "other_owner": {401, 403, 404, 429},
    }
    if CLIENT in refusals and name(case.operation) in IDS and has_own_method(case):
        assert response.status_code in refusals[CLIENT], f"{response.status_code} for a {CLIENT}"


@schemathesis.hook
def after_call(context, case, response):
    """Records the status, and the tokens of created resources."""
    operation = name(case.operation)
    if not has_own_method(case):
        return
    statuses.add((operation, response.status_code))
    if operation == "createRequest" and response.status_code == 201:
        created = response.json()
        tokens[created["id"]] = created["access_token"]
        if FIXTURES["submits"]:
            submit(created["submission_url"])
    elif operation == "getRequest" and response.status_code == 200:
        request = response.json()
        if "video" in request:
            tokens[request["video"]["id"]] = tokens[request["id"]]


def submit(link):
    """Uploads and submits a recording."""
    take = requests.post(f"{link}/takes", RECORDING, headers={"Content-Type": "video/webm"})
    take.raise_for_status()
    take = take.headers["Location"].rpartition("/")[2]
    requests.post(f"{link}/submission", json={"take": take}).raise_for_status()


def name(operation):
    return operation.definition.raw["operationId"]


def has_own_method(case):
    """Whether the method is the operation's own: schemathesis also tries undescribed ones."""
    return case.method.upper() == case.operation.method.upper()


@atexit.register
def write_statuses():
    with open(os.environ["RESPONSES"], "w") as file:
        json.dump(sorted(statuses), file)
