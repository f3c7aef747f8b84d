// Runs the commands of docs/migration.md: they export the configuration of a zone with curl, and check it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { codeBlocks, readPage } from "../docs.mjs";
import { binary, createDataDirectory, removeDirectory, startService } from "./support/service.mjs";

const page = readPage("docs/migration.md");
/** The exit code and the first line of `migrate check` for zones of the demo account. */
const EXPECTED = {
  "enterprise.example": [0, "The zone can migrate.\n"],
  "pro.example": [0, "The zone can migrate.\n"],
  "blocked.example": [1, "The zone cannot migrate yet.\n"],
  "support.example": [1, "The zone can migrate with help from support.\n"],
};

let folder;
let service;

before(async () => {
  folder = await createDataDirectory();
  service = await startService(folder);
  await mkdir(join(folder, "bin"));
  await symlink(binary, join(folder, "bin", "zonewright"));
});

after(async () => {
  await service?.stop();
  await removeDirectory(folder);
});

/** Returns the shell code block that contains a fragment. */
const findShellBlock = (fragment) => codeBlocks(page, "sh").find((text) => text.includes(fragment));

function shell(commands, variables = {}) {
  const { base_url: BASE, token: TOKEN } = service.credentials;
  const PATH = `${join(folder, "bin")}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, BASE, TOKEN, ...variables, PATH };
  return new Promise((resolve) => {
    const options = { cwd: folder, env, maxBuffer: 1 << 26 };
    execFile("sh", ["-c", commands], options, (error, stdout) => resolve([error?.code ?? 0, stdout]));
  });
}

const readExport = async () => JSON.parse(await readFile(join(folder, "zone.json"), "utf8"));

for (const [name, [code, summary]] of Object.entries(EXPECTED)) {
  test(`exported_zone_is_checked: ${name}`, async () => {
    const { id: ZONE_ID, plan } = service.credentials.zones.find((zone) => zone.name === name);
    assert.deepEqual(await shell(findShellBlock("get_for_packages"), { ZONE_ID }), [0, ""]);
    const { zone, rules, page_rules, entry_point } = await readExport();
    assert.deepEqual([zone.result.plan.legacy_id, Array.isArray(page_rules), entry_point], [plan, true, null]);
    assert.ok(rules.length > 100, "more than a page of rules");
    const [exitCode, output] = await shell("zonewright migrate check zone.json");
    assert.deepEqual([exitCode, output.slice(0, summary.length)], [code, summary]);
    const { findings } = JSON.parse((await shell("zonewright migrate plan zone.json --format json"))[1]);
    assert.deepEqual(findings.filter((finding) => finding.code === "not-provided"), []);
  });
}

test("existing_entry_point_is_exported", async () => {
  const { base_url, token, zones } = service.credentials;
  const { id: ZONE_ID } = zones.find((zone) => zone.name === "pro.example");
  const saved = await fetch(`${base_url}/zones/${ZONE_ID}/rulesets/phases/http_request_firewall_managed/entrypoint`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: "mine", rules: [] }),
  });
  assert.equal(saved.status, 200);
  await shell(findShellBlock("get_for_packages"), { ZONE_ID });
  assert.deepEqual((await readExport()).entry_point.result, (await saved.json()).result);
  assert.equal((await shell("zonewright migrate check zone.json"))[0], 0);
});

test("unreadable_sections_are_exported_as_null", async () => {
  await shell(findShellBlock("get_for_packages"), { ZONE_ID: service.credentials.zones[0].id, TOKEN: "wrong" });
  const config = Object.values(await readExport());
  assert.deepEqual(config.filter((value) => value !== null), []);
});

test("other_commands_run", async () => {
  const { id: ZONE_ID } = service.credentials.zones.find((zone) => zone.name === "enterprise.example");
  await shell(findShellBlock("get_for_packages"), { ZONE_ID });
  await shell("jq .firewall_rules zone.json > rules.json");
  const commands = findShellBlock("--phase-one").trim().split("\n");
  assert.equal(commands.length, 4);
  for (const command of commands) {
    const [code] = await shell(command);
    assert.ok(code <= 1, command);
  }
  assert.match(await readFile(join(folder, "plan.html"), "utf8"), /^<!doctype html>/i);
});
