"""Fuzzes the running service against its OpenAPI document.

The document must be valid under the official schema of OpenAPI 3.1 (`openapi-3.1.json`, Apache-2.0, of the OpenAPI
Initiative). schemathesis then derives valid and invalid requests from it and checks every response: no 5xx, and a
documented status, content type and shape.

    fuzz.py BINARY [--examples N] [--seed N] [--seconds N] [--path REGEX] [--database URL]
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

import jsonschema_rs

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
UNKNOWN_ID = "0" * 32
HERE = pathlib.Path(__file__).parent


class Service:
    """The binary on a separate data directory."""

    def __init__(self, binary, folder, database):
        command = [binary, "serve", "--listen", "127.0.0.1:0", "--data", folder]
        command += ["--database", database] if database else []
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if found := re.match(r"listening on (http://\S+)", line):
                self.root = found[1]
                self.url = self.root + "/client/v4"
                break
        else:
            sys.exit("the service did not start")
        with open(f"{folder}/demo-credentials.json", encoding="utf-8") as file:
            self.demo = json.load(file)

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.demo['token']}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            sys.exit(f"{method} {path}: {error.code} {error.read().decode()}")


def create_fixtures(service, base):
    """Creates an object of each kind; returns the values of the path parameters."""
    ids = {}
    if base.startswith("/zones/"):
        made = service.send("POST", f"{base}/filters", [{"expression": f"ip.src eq 192.0.2.{n}"} for n in range(3)])
        ids["/filters/{id}"] = [one["id"] for one in made["result"]]
        rules = [{"filter": {"id": one}, "action": "block"} for one in ids["/filters/{id}"][:2]]
        made = service.send("POST", f"{base}/firewall/rules", rules)
        ids["/firewall/rules/{id}"] = [one["id"] for one in made["result"]]
        page_rule = {
            "targets": [{"target": "url", "constraint": {"operator": "matches", "value": "*example.com/*"}}],
            "actions": [{"id": "security_level", "value": "high"}],
        }
        ids["/pagerules/{id}"] = [service.send("POST", f"{base}/pagerules", page_rule)["result"]["id"]]
    rules = [{"action": "block", "expression": "ssl"}, {"action": "challenge", "expression": "not ssl"}]
    path = f"{base}/rulesets/phases/http_request_firewall_custom/entrypoint"
    made = service.send("PUT", path, {"rules": rules})["result"]
    service.send("PUT", path, {"description": "again"})
    ids["/rulesets/{id}"] = [made["id"], "efb7b8c949ac4650a09736fc376e9aee"]
    ids["/rules/{rule_id}"] = [rule["id"] for rule in made["rules"]]
    ids["/versions/{version}"] = ["1", "2", "3"]
    return ids


def with_real_ids(document, ids):
    """Replaces the schemas of path parameters by existing IDs, so that requests reach objects."""
    for path, item in document["paths"].items():
        owner = next((base for base in ids if path.startswith(base.rsplit("/", 1)[0] + "/{")), None)
        for operation in item.values():
            # schemathesis generates no bodies of this type; the service ignores the content type.
            content = operation.get("requestBody", {}).get("content", {})
            if "application/x-ndjson" in content:
                content["text/plain"] = content.pop("application/x-ndjson")
            for parameter in operation.get("parameters", []):
                if parameter["in"] != "path" or owner is None:
                    continue
                # Examples name objects that do not exist.
                parameter.pop("example", None)
                start = path[: path.index("{" + parameter["name"] + "}")] + "{" + parameter["name"] + "}"
                if start.count("{") == 1:
                    parameter["schema"] = {"enum": [base.rsplit("/", 1)[1] for base in ids if base.rsplit("/", 1)[0] == owner.rsplit("/", 1)[0]]}
                    continue
                real = next((real for end, real in ids[owner].items() if start.endswith(end)), None)
                if real:
                    parameter["schema"] = {"enum": [*real, UNKNOWN_ID if len(real[0]) == 32 else "9"]}
    return document


def with_absolute_paths(document):
    """Makes all paths absolute, because schemathesis ignores the servers of single operations."""
    base = document["servers"][0]["url"]
    paths = {}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            before = operation.pop("servers", [{"url": base}])[0]["url"].rstrip("/")
            paths.setdefault(before + path, {})[method] = operation
    return {**document, "paths": paths, "servers": [{"url": "/"}]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--examples", default="10")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--seconds")
    parser.add_argument("--path")
    parser.add_argument("--database")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        service = Service(options.binary, f"{folder}/data", options.database)
        try:
            sys.exit(run(service, folder, options))
        finally:
            service.process.kill()
            service.process.wait()


def run(service, folder, options):
    with urllib.request.urlopen(service.url + "/openapi.json") as response:
        document = json.load(response)
    official = json.loads((HERE / "openapi-3.1.json").read_text(encoding="utf-8"))
    problems = list(jsonschema_rs.Draft202012Validator(official).iter_errors(document))
    for problem in problems:
        print(f"{problem.instance_path}: {problem.message}")
    if problems:
        return 1
    zones = [zone["id"] for zone in service.demo["zones"] if zone["name"].split(".")[0] in ("enterprise", "pro")]
    bases = [f"/zones/{zone}" for zone in zones] + [f"/accounts/{service.demo['account_id']}"]
    ids = {base: create_fixtures(service, base) for base in bases}
    path = f"{folder}/openapi.json"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(with_absolute_paths(with_real_ids(document, ids)), file)
    command = [
        f"{pathlib.Path(sys.executable).parent}/schemathesis", "--no-color", "run", path, "--url", service.root,
        "--header", f"Authorization: Bearer {service.demo['token']}", "--checks", CHECKS,
        "--phases", "examples,coverage,fuzzing", "--max-examples", options.examples, "--seed", options.seed,
        "--generation-database", "none", "--suppress-health-check", "all", "--request-timeout", "30",
    ]
    command += ["--max-time", options.seconds] if options.seconds else []
    command += ["--include-path-regex", options.path] if options.path else []
    hooks = {"SCHEMATHESIS_HOOKS": str(HERE / "hooks.py")}
    tried = subprocess.Popen(command, cwd=folder, env=os.environ | hooks, stdout=subprocess.PIPE, text=True)
    counts = {}
    for line in tried.stdout:
        print(line, end="", flush=True)
        if found := re.match(r"\s*(Selected|Tested): (\d+)", line):
            counts[found[1]] = int(found[2])
    if service.process.poll() is not None:
        print(f"the service exited with {service.process.returncode}")
        return 1
    if not counts.get("Tested") or counts["Tested"] != counts["Selected"]:
        print(f"some operations were not tested: {counts}")
        return 1
    return tried.wait()


main()
