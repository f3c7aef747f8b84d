// The commands of the README about migrations: a zone's configuration is gathered with curl, and judged.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { binary, dataFolder, removeFolder, startService } from "./support/service.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
/** What each zone of the demo account is told, at the beginning. */
const STORIES = {
  "enterprise.example": [0, "The zone can migrate.\n"],
  "pro.example": [0, "The zone can migrate.\n"],
  "blocked.example": [1, "The zone cannot migrate yet.\n"],
  "support.example": [1, "The zone can migrate with the help of support.\n"],
};

let folder;
let service;
let section;

before(async () => {
  folder = await dataFolder();
  service = await startService(folder);
  await mkdir(join(folder, "bin"));
  await symlink(binary, join(folder, "bin", "zonewright"));
  const readme = await readFile(join(root, "README.md"), "utf8");
  section = readme.split("### Migrations of managed rules\n")[1].split("\n### ")[0];
});

after(async () => {
  await service?.stop();
  await removeFolder(folder);
});

/** The block of shell commands that has a text in it. */
const block = (text) => [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, one]) => one).find((one) => one.includes(text));

function shell(commands, variables = {}) {
  const { base_url: BASE, token: TOKEN } = service.credentials;
  const PATH = `${join(folder, "bin")}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, BASE, TOKEN, ...variables, PATH };
  return new Promise((resolve) => {
    const options = { cwd: folder, env, maxBuffer: 1 << 26 };
    execFile("sh", ["-c", commands], options, (error, stdout) => resolve([error?.code ?? 0, stdout]));
  });
}

const gathered = async () => JSON.parse(await readFile(join(folder, "zone.json"), "utf8"));

for (const [name, [code, words]] of Object.entries(STORIES)) {
  test(`gathered and checked: ${name}`, async () => {
    const { id: ZONE_ID, plan } = service.credentials.zones.find((zone) => zone.name === name);
    assert.deepEqual(await shell(block("of_each"), { ZONE_ID }), [0, ""]);
    const { zone, rules, page_rules, entry_point } = await gathered();
    assert.deepEqual([zone.result.plan.legacy_id, Array.isArray(page_rules), entry_point], [plan, true, null]);
    assert.ok(rules.length > 100, "more than a page of rules");
    const [ended, told] = await shell("zonewright migrate check zone.json");
    assert.deepEqual([ended, told.slice(0, words.length)], [code, words]);
    const { findings } = JSON.parse((await shell("zonewright migrate plan zone.json --format json"))[1]);
    assert.deepEqual(findings.filter((one) => one.code === "not-given"), []);
  });
}

test("an entry point that is there is gathered", async () => {
  const { base_url, token, zones } = service.credentials;
  const { id: ZONE_ID } = zones.find((zone) => zone.name === "pro.example");
  const saved = await fetch(`${base_url}/zones/${ZONE_ID}/rulesets/phases/http_request_firewall_managed/entrypoint`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: "mine", rules: [] }),
  });
  assert.equal(saved.status, 200);
  await shell(block("of_each"), { ZONE_ID });
  assert.deepEqual((await gathered()).entry_point.result, (await saved.json()).result);
  assert.equal((await shell("zonewright migrate check zone.json"))[0], 0);
});

test("what cannot be read is said to be not given", async () => {
  await shell(block("of_each"), { ZONE_ID: service.credentials.zones[0].id, TOKEN: "wrong" });
  const config = Object.values(await gathered());
  assert.deepEqual(config.filter((value) => value !== null), []);
});

test("the other commands run", async () => {
  const { id: ZONE_ID } = service.credentials.zones.find((zone) => zone.name === "enterprise.example");
  await shell(block("of_each"), { ZONE_ID });
  await shell("jq .firewall_rules zone.json > rules.json");
  const commands = block("--phase-one").trim().split("\n");
  assert.equal(commands.length, 4);
  for (const command of commands) {
    const [code] = await shell(command);
    assert.ok(code <= 1, command);
  }
  assert.match(await readFile(join(folder, "plan.html"), "utf8"), /^<!doctype html>/i);
  const [, call, words] = /^\$ (.*)\n(.*)$/m.exec(block("$ echo"));
  assert.deepEqual((await shell(call))[1].split("\n")[0], words);
});
