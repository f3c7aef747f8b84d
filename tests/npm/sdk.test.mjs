// The official JavaScript SDK against the running service: every call that it has for log push jobs, page
// rules, zone settings and the previous managed rules, and those for the rulesets that follow these.

import assert from "node:assert/strict";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import Cloudflare from "cloudflare";
import { dataFolder, removeFolder, startService } from "../e2e/support/service.mjs";

const destination_conf = "s3://logs/{DATE}?region=us-west-2&access-key-id=a&secret-access-key=b";
const filter = '{"where":{"key":"ClientRequestHost","operator":"eq","value":"example.com"}}';
let data, files, service, client, owners;

before(async () => {
  data = await dataFolder();
  files = await mkdtemp(join(tmpdir(), "zonewright-files-"));
  service = await startService(data, "127.0.0.1:0", ["--logpush-files", files, "--migration-delay", "0"]);
  const { base_url: baseURL, token: apiToken, account_id, zone_id } = service.credentials;
  client = new Cloudflare({ baseURL, apiToken, maxRetries: 0 });
  owners = [
    [{ zone_id }, "http_requests"],
    [{ account_id }, "audit_logs"],
  ];
});

after(async () => {
  await service?.stop();
  await Promise.all([data, files].filter(Boolean).map(removeFolder));
});

/** All items of a list, over all of its pages. */
async function all(list) {
  const items = [];
  for await (const item of list) items.push(item);
  return items;
}

test("jobs: create, list, get, update, delete", async () => {
  for (const [owner, dataset] of owners) {
    const output_options = { field_names: ["RayID"], timestamp_format: "rfc3339", "CVE-2021-44228": true };
    if (dataset !== "http_requests") output_options.field_names = ["ActionType"];
    const sent = { name: "example.com", dataset, destination_conf, output_options, frequency: "high" };
    const job = await client.logpush.jobs.create({ ...owner, ...sent });
    assert.equal(typeof job.id, "number");
    for (const [name, value] of Object.entries(sent)) assert.deepEqual(job[name], value, name);
    assert.equal(job.enabled, false);
    assert.equal(job.last_error, null);
    assert.deepEqual(await all(client.logpush.jobs.list(owner)), [job]);
    assert.deepEqual(await client.logpush.jobs.get(job.id, owner), job);
    const updated = await client.logpush.jobs.update(job.id, { ...owner, enabled: true, max_upload_records: 1000 });
    assert.deepEqual(updated, { ...job, enabled: true, max_upload_records: 1000 });
    assert.deepEqual(await client.logpush.jobs.delete(job.id, owner), { id: job.id });
    await assert.rejects(client.logpush.jobs.get(job.id, owner), Cloudflare.NotFoundError);
  }
});

test("jobs: a filter is kept, and a wrong one refused with its code", async () => {
  const [[owner]] = owners;
  const job = await client.logpush.jobs.create({ ...owner, destination_conf, filter });
  assert.equal(job.filter, filter);
  await client.logpush.jobs.delete(job.id, owner);
  await assert.rejects(client.logpush.jobs.create({ ...owner, destination_conf, filter: "{}" }), (error) => {
    assert.ok(error instanceof Cloudflare.BadRequestError);
    assert.equal(error.errors[0].code, 1004);
    return true;
  });
});

test("jobs: as many as there may be", async () => {
  for (const [owner, dataset] of owners) {
    const body = { ...owner, dataset, destination_conf };
    for (let number = 0; number < 4; number++) await client.logpush.jobs.create(body);
    await assert.rejects(client.logpush.jobs.create(body), /exceeded max jobs allowed/);
    const jobs = await all(client.logpush.datasets.jobs.get(dataset, owner));
    assert.equal(jobs.length, 4);
    for (const { id } of jobs) await client.logpush.jobs.delete(id, owner);
    assert.deepEqual(await all(client.logpush.datasets.jobs.get(dataset, owner)), []);
  }
});

test("datasets: fields", async () => {
  for (const [owner, dataset] of owners) {
    const fields = await client.logpush.datasets.fields.get(dataset, owner);
    const names = Object.keys(fields);
    assert.ok(names.length > 10);
    assert.deepEqual(names, names.toSorted());
    for (const field of Object.values(fields)) assert.match(field, /^[a-z[\]]+; \S/);
    // The SDK has no call for the default ones; its client asks all the same.
    const [[scope, id]] = Object.entries(owner);
    const path = `/${scope.replace("_id", "s")}/${id}/logpush/datasets/${dataset}/fields/default`;
    const { result } = await client.get(path);
    assert.ok(Object.keys(result).length > 10 && Object.keys(result).length < names.length);
    for (const [name, field] of Object.entries(result)) assert.equal(field, fields[name]);
  }
});

test("ownership: a challenge, written and given back", async () => {
  for (const [owner, dataset] of owners) {
    const body = { ...owner, destination_conf: "file:///team/{DATE}" };
    const { filename, valid, message } = await client.logpush.ownership.create(body);
    assert.deepEqual([valid, message], [true, ""]);
    const ownership_challenge = await readFile(join(files, filename), "utf8");
    assert.deepEqual(await client.logpush.ownership.validate({ ...body, ownership_challenge }), { valid: true });
    assert.deepEqual(await client.logpush.ownership.validate({ ...body, ownership_challenge: "x" }), { valid: false });
    const job = await client.logpush.jobs.create({ ...body, dataset, ownership_challenge });
    await client.logpush.jobs.delete(job.id, owner);
    await assert.rejects(
      client.logpush.jobs.create({ ...body, dataset, ownership_challenge: "x" }),
      /incorrect ownership challenge/,
    );
    const bad = await client.logpush.ownership.create({ ...owner, destination_conf: "s3://bucket" });
    assert.equal(bad.valid, false);
    assert.match(bad.message, /^destination is invalid/);
  }
});

test("validate: destination, exists, origin", async () => {
  for (const [owner, dataset] of owners) {
    const { validate } = client.logpush;
    assert.deepEqual(await validate.destination({ ...owner, destination_conf }), { valid: true, message: "" });
    assert.equal((await validate.destination({ ...owner, destination_conf: "s3://bucket" })).valid, false);
    assert.deepEqual(await validate.destinationExists({ ...owner, destination_conf }), { exists: false });
    const { id } = await client.logpush.jobs.create({ ...owner, dataset, destination_conf });
    assert.deepEqual(await validate.destinationExists({ ...owner, destination_conf }), { exists: true });
    await client.logpush.jobs.delete(id, owner);
  }
  const [[owner]] = owners;
  const origin = (logpull_options) => client.logpush.validate.origin({ ...owner, logpull_options });
  assert.deepEqual(await origin("fields=RayID&timestamps=rfc3339"), { valid: true, message: "" });
  assert.equal((await origin("fields=NoSuchField")).valid, false);
});

test("jobs: what a list, an update and a wrong request look like", async () => {
  for (const [owner, dataset] of owners) {
    const first = await client.logpush.jobs.create({ ...owner, dataset, destination_conf });
    const second = await client.logpush.jobs.create({ ...owner, dataset, destination_conf, name: "b" });
    assert.deepEqual((await all(client.logpush.jobs.list(owner))).map(({ id }) => id), [first.id, second.id]);
    const output_options = { output_type: "csv", field_names: Object.keys(await client.logpush.datasets.fields.get(dataset, owner)).slice(0, 2) };
    const updated = await client.logpush.jobs.update(first.id, { ...owner, output_options, frequency: "low" });
    assert.deepEqual([updated.output_options, updated.frequency], [output_options, "low"]);
    await assert.rejects(client.logpush.jobs.update(first.id, { ...owner, max_upload_bytes: 1 }), (error) => {
      assert.ok(error instanceof Cloudflare.BadRequestError);
      assert.deepEqual(error.errors.map(({ code, source }) => [code, source.pointer]), [[1002, "/max_upload_bytes"]]);
      return true;
    });
    for (const { id } of [first, second]) await client.logpush.jobs.delete(id, owner);
    await assert.rejects(client.logpush.jobs.update(first.id, { ...owner, enabled: true }), Cloudflare.NotFoundError);
    await assert.rejects(client.logpush.jobs.delete(first.id, owner), Cloudflare.NotFoundError);
  }
});

test("transformers are not there, and that is said", async () => {
  const [, [owner]] = owners;
  const { transformers } = client.logpush;
  const calls = [
    () => transformers.create({ ...owner, name: "a", code: "select 1", dataset: "audit_logs" }),
    () => transformers.update(1, { ...owner, name: "a" }),
    () => all(transformers.list(owner)),
    () => transformers.get(1, owner),
    () => transformers.delete(1, owner),
    () => all(transformers.preview({ ...owner, code: "select 1" })),
    () => transformers.content.get(1, owner),
    () => all(transformers.versions.list(1, owner)),
  ];
  for (const call of calls) {
    await assert.rejects(call(), (error) => {
      assert.ok(error instanceof Cloudflare.PermissionDeniedError, error);
      assert.match(error.message, /transformer feature is not available for this account/);
      return true;
    });
  }
});

test("edge: instant logs are not there, and that is said", async () => {
  const [[owner]] = owners;
  assert.deepEqual(await all(client.logpush.edge.get(owner)), []);
  const created = client.logpush.edge.create({ ...owner, fields: "ClientIP", sample: 1, kind: "instant-logs" });
  await assert.rejects(created, /instant logs are not available/);
});

test("page rules: create, list, edit, update, get, delete", async () => {
  const [[owner]] = owners;
  const before = await client.pageRules.list(owner);
  assert.ok(before.length > 0, "the demo zone has some");
  const targets = [{ target: "url", constraint: { operator: "matches", value: "*sdk.example/*" } }];
  const sent = { targets, actions: [{ id: "waf", value: "off" }], priority: 9, status: "active" };
  const rule = await client.pageRules.create({ ...owner, ...sent });
  for (const [name, value] of Object.entries(sent)) assert.deepEqual(rule[name], value, name);
  assert.deepEqual(await client.pageRules.list(owner), [rule, ...before], "the largest priority first");
  const edited = await client.pageRules.edit(rule.id, { ...owner, status: "disabled" });
  assert.deepEqual({ ...edited, modified_on: rule.modified_on }, { ...rule, status: "disabled" });
  const disabled = await client.pageRules.list({ ...owner, status: "disabled", order: "priority", direction: "asc" });
  assert.deepEqual(disabled.at(-1), edited);
  const actions = [{ id: "disable_security" }];
  const updated = await client.pageRules.update(rule.id, { ...owner, targets, actions });
  assert.deepEqual([updated.actions, updated.priority], [actions, 1]);
  assert.deepEqual(await client.pageRules.get(rule.id, owner), updated);
  await assert.rejects(client.pageRules.create({ ...owner, ...sent }), /already has an existing page rule/);
  assert.deepEqual(await client.pageRules.delete(rule.id, owner), { id: rule.id });
  await assert.rejects(client.pageRules.get(rule.id, owner), Cloudflare.NotFoundError);
});

test("settings: the switch of the previous managed rules", async () => {
  const [[owner]] = owners;
  assert.equal((await client.zones.settings.get("waf", owner)).value, "on");
  assert.equal((await client.zones.settings.edit("waf", { ...owner, value: "off" })).value, "off");
  assert.equal((await client.zones.settings.edit("waf", { ...owner, value: "on" })).value, "on");
  await assert.rejects(client.zones.settings.get("ssl", owner), /Undefined zone setting: ssl/);
});

test("previous managed rules: packages, groups, rules", async () => {
  const [[owner]] = owners;
  const { packages } = client.firewall.waf;
  const listed = await all(packages.list(owner));
  assert.deepEqual(
    listed.map(({ name }) => name),
    ["CloudFlare", "OWASP ModSecurity Core Rule Set", "USER"],
  );
  const [{ id: package_id }, core] = listed;
  assert.deepEqual(await packages.get(core.id, owner), core);
  const groups = await all(packages.groups.list(package_id, { ...owner, per_page: 5 }));
  const rules = await all(packages.rules.list(package_id, { ...owner, per_page: 20 }));
  assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length);
  assert.equal(groups.reduce((sum, group) => sum + group.rules_count, 0), rules.length);
  const within = { ...owner, package_id };
  const group = await packages.groups.edit(groups[0].id, { ...within, mode: "off" });
  assert.deepEqual(group, { ...groups[0], mode: "off" });
  assert.deepEqual(await packages.groups.get(group.id, within), group);
  const plain = rules.find((rule) => rule.mode === "default");
  const rule = await packages.rules.edit(plain.id, { ...within, mode: "simulate" });
  assert.deepEqual(rule, { ...plain, mode: "simulate" });
  assert.deepEqual(await packages.rules.get(rule.id, within), rule);
  const simulated = await all(packages.rules.list(package_id, { ...owner, mode: "SIM", match: "all" }));
  assert.ok(simulated.some(({ id }) => id === rule.id));
  await assert.rejects(packages.rules.edit(rule.id, { ...within, mode: "on" }), /Invalid or missing WAF Rule mode/);
});

test("previous managed rules: overrides by URL", async () => {
  const [[owner]] = owners;
  const { overrides } = client.firewall.waf;
  const result = async (call) => (await (await call.asResponse()).json()).result;
  const sent = { urls: ["sdk.example/*"], rules: { 100015: "disable" }, rewrite_action: {} };
  const created = await result(overrides.create({ ...owner, ...sent }));
  assert.deepEqual(await result(overrides.list(owner)), [created]);
  const changed = { ...created, rewrite_action: { block: "challenge" } };
  assert.deepEqual(await result(overrides.update(created.id, { ...owner, ...changed })), changed);
  assert.deepEqual(await result(overrides.get(created.id, owner)), changed);
  assert.deepEqual(await result(overrides.delete(created.id, owner)), { id: created.id });
  await assert.rejects(overrides.get(created.id, owner).asResponse(), /wafuriconfig\.api\.not_found/);
});

test("rulesets: a migration, and the entry point that it makes", async () => {
  const zone_id = service.credentials.zones.find(({ name }) => name === "pro.example").id;
  const phase = "http_request_firewall_managed";
  const { rulesets } = client;
  await assert.rejects(rulesets.phases.get(phase, { zone_id }), Cloudflare.NotFoundError);
  const { result: config } = await client.get(`/zones/${zone_id}/waf_migration/config`, { query: { phase_two: 1 } });
  await assert.rejects(rulesets.phases.update(phase, { zone_id, ...config }), Cloudflare.BadRequestError);
  const tried = await rulesets.phases.update(phase, { zone_id, rules: [], dry_run: true });
  assert.deepEqual(tried.rules, []);
  const query = { waf_migration: "pending", phase_two: 1 };
  const saved = await rulesets.phases.update(phase, { zone_id, ...config }, { query });
  assert.equal(saved.version, "1");
  assert.deepEqual(await rulesets.phases.get(phase, { zone_id }), saved);
  assert.deepEqual(await rulesets.get(saved.id, { zone_id }), saved);
  const status = async () => (await client.get(`/zones/${zone_id}/waf_migration/status`)).result.migration_state;
  for (let tries = 0; (await status()) !== "complete"; tries++) {
    assert.ok(tries < 100);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await assert.rejects(client.firewall.waf.packages.list({ zone_id }), /Rulesets API/);
  const [rule, ...others] = saved.rules;
  const rules = [...others, { ...rule, enabled: false }];
  const updated = await rulesets.phases.update(phase, { zone_id, rules });
  assert.deepEqual(updated.rules.map(({ id }) => id), rules.map(({ id }) => id));
  assert.equal(updated.rules.at(-1).version, "2");
  const listed = await all(rulesets.list({ zone_id }));
  assert.deepEqual(listed.map(({ kind }) => kind), ["managed", "managed", "managed", "managed", "zone"]);
  for (const { id } of listed.slice(0, 2)) assert.ok((await rulesets.get(id, { zone_id })).rules.length > 20);
});

test("rulesets: every call, in a zone and in an account", async () => {
  const { zone_id, account_id } = service.credentials;
  const { rulesets } = client;
  const phase = "http_request_firewall_custom";
  for (const [owner, kind] of [[{ zone_id }, "zone"], [{ account_id }, "custom"]]) {
    const first = { action: "block", expression: "ssl", ref: "first" };
    const body = { ...owner, name: "mine", kind, phase, rules: [first] };
    assert.equal((await rulesets.create({ ...body, dry_run: true })).version, "1");
    const made = await rulesets.create(body);
    const ruleset = { ...owner, ruleset_id: made.id };
    assert.deepEqual(await rulesets.get(made.id, owner), made);
    const second = { action: "log", expression: "not ssl", ref: "second", position: { before: made.rules[0].id } };
    const added = await rulesets.rules.create(made.id, { ...owner, ...second });
    assert.deepEqual(added.rules.map(({ ref }) => ref), ["second", "first"]);
    const [{ id }] = added.rules;
    const moved = await rulesets.rules.edit(id, { ...ruleset, position: { after: "" } });
    assert.deepEqual(moved.rules.map(({ ref, version }) => [ref, version]), [["first", "1"], ["second", "1"]]);
    const edited = await rulesets.rules.edit(id, { ...ruleset, enabled: false });
    assert.deepEqual([edited.rules[1].enabled, edited.rules[1].version, edited.version], [false, "2", "4"]);
    const tried = await rulesets.rules.delete(id, { ...ruleset, dry_run: true });
    assert.equal(tried.rules.length, 1);
    assert.equal((await rulesets.rules.delete(id, ruleset)).rules.length, 1);
    const updated = await rulesets.update(made.id, { ...owner, description: "new" });
    assert.deepEqual([updated.description, updated.rules], ["new", made.rules]);
    const versions = await all(rulesets.versions.list(made.id, owner));
    assert.deepEqual(versions.map(({ version }) => version), ["1", "2", "3", "4", "5", "6"]);
    assert.deepEqual(await rulesets.versions.get("1", ruleset), made);
    await rulesets.versions.delete("1", ruleset);
    await assert.rejects(rulesets.versions.get("1", ruleset), Cloudflare.NotFoundError);
    await assert.rejects(rulesets.versions.delete("6", ruleset), Cloudflare.BadRequestError);
    if (kind === "zone") {
      const ofPhase = await all(rulesets.phases.versions.list(phase, owner));
      assert.deepEqual(ofPhase.map(({ version }) => version), ["2", "3", "4", "5", "6"]);
      assert.deepEqual(await rulesets.phases.versions.get("6", { ...owner, ruleset_phase: phase }), updated);
    } else {
      const rules = [{ action: "execute", expression: "true", action_parameters: { id: made.id } }];
      await rulesets.phases.update(phase, { ...owner, rules });
      await assert.rejects(rulesets.delete(made.id, owner), Cloudflare.BadRequestError);
      await rulesets.phases.update(phase, { ...owner, rules: [] });
    }
    await assert.rejects(rulesets.create({ ...body, kind: "managed" }), (error) => {
      assert.deepEqual(error.errors.map(({ code, source }) => [code, source.pointer]), [[20120, "/kind"]]);
      return true;
    });
    await rulesets.delete(made.id, owner);
    await assert.rejects(rulesets.get(made.id, owner), Cloudflare.NotFoundError);
  }
});
