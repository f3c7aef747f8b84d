// Rulesets of zones and accounts, and the migration to them, through the official SDK.

import assert from "node:assert/strict";
import { test } from "node:test";
import Cloudflare from "cloudflare";
import { collect, testEveryOperation, expectRejection, setUpSdk } from "./sdk_support.mjs";

const { BadRequestError, NotFoundError } = Cloudflare;
const ready = setUpSdk();

test("rulesets: a migration creates the planned entry point", async () => {
  const zone_id = ready.service.credentials.zones.find(({ name }) => name === "pro.example").id;
  const phase = "http_request_firewall_managed";
  const { rulesets } = ready.client;
  await assert.rejects(rulesets.phases.get(phase, { zone_id }), Cloudflare.NotFoundError);
  const { result: config } = await ready.client.get(`/zones/${zone_id}/waf_migration/config`, { query: { phase_two: 1 } });
  await assert.rejects(rulesets.phases.update(phase, { zone_id, ...config }), Cloudflare.BadRequestError);
  assert.equal(await rulesets.phases.update(phase, { zone_id, rules: [], dry_run: true }), null);
  const query = { waf_migration: "pending", phase_two: 1 };
  const saved = await rulesets.phases.update(phase, { zone_id, ...config }, { query });
  assert.equal(saved.version, "1");
  assert.deepEqual(await rulesets.phases.get(phase, { zone_id }), saved);
  assert.deepEqual(await rulesets.get(saved.id, { zone_id }), saved);
  const status = async () => (await ready.client.get(`/zones/${zone_id}/waf_migration/status`)).result.migration_state;
  for (let tries = 0; (await status()) !== "complete"; tries++) {
    assert.ok(tries < 100);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await assert.rejects(ready.client.firewall.waf.packages.list({ zone_id }), /Rulesets API/);
  const [rule, ...others] = saved.rules;
  const rules = [...others, { ...rule, enabled: false }];
  const updated = await rulesets.phases.update(phase, { zone_id, rules });
  assert.deepEqual(updated.rules.map(({ id }) => id), rules.map(({ id }) => id));
  assert.equal(updated.rules.at(-1).version, "2");
  const listed = await collect(rulesets.list({ zone_id }));
  assert.deepEqual(listed.map(({ kind }) => kind), [...Array(6).fill("managed"), "zone"]);
  for (const { id } of listed.slice(0, 2)) assert.ok((await rulesets.get(id, { zone_id })).rules.length > 20);
});

test("migration: a conflicting update is not retried", async () => {
  const zone_id = ready.service.credentials.zones.find(({ name }) => name === "business.example").id;
  const phase = "http_request_firewall_managed";
  const { result: config } = await ready.client.get(`/zones/${zone_id}/waf_migration/config`, { query: { phase_two: 1 } });
  const { token: apiToken } = ready.service.credentials;
  let sent = 0;
  const counting = (url, init) => {
    sent += 1;
    return fetch(url, init);
  };
  const client = ready.connect({ apiToken, fetch: counting, maxRetries: 2 });
  const query = { waf_migration: "pending", phase_two: 1 };
  const updates = Array.from({ length: 8 }, (_, number) =>
    client.rulesets.phases.update(phase, { zone_id, ...config, name: `writer ${number}` }, { query }));
  const results = await Promise.allSettled(updates);
  assert.equal(sent, updates.length);
  const conflicts = results.filter(({ status }) => status === "rejected").map(({ reason }) => reason);
  for (const error of conflicts) {
    assert.ok(error instanceof Cloudflare.ConflictError, `${error}`);
    assert.deepEqual(error.errors.map(({ code }) => code), [10409]);
  }
  assert.ok(conflicts.length < updates.length);
});

test("rulesets: every method works in a zone and in an account", async () => {
  const { zone_id, account_id } = ready.service.credentials;
  const { rulesets } = ready.client;
  const phase = "http_request_firewall_custom";
  for (const [owner, kind] of [[{ zone_id }, "zone"], [{ account_id }, "custom"]]) {
    const first = { action: "block", expression: "ssl", ref: "first" };
    const body = { ...owner, name: "mine", kind, phase, rules: [first] };
    assert.equal(await rulesets.create({ ...body, dry_run: true }), null);
    const created = await rulesets.create(body);
    const ruleset = { ...owner, ruleset_id: created.id };
    assert.deepEqual(await rulesets.get(created.id, owner), created);
    const second = { action: "log", expression: "not ssl", ref: "second", position: { before: created.rules[0].id } };
    const added = await rulesets.rules.create(created.id, { ...owner, ...second });
    assert.deepEqual(added.rules.map(({ ref }) => ref), ["second", "first"]);
    const [{ id }] = added.rules;
    const moved = await rulesets.rules.edit(id, { ...ruleset, position: { after: "" } });
    assert.deepEqual(moved.rules.map(({ ref, version }) => [ref, version]), [["first", "1"], ["second", "1"]]);
    const edited = await rulesets.rules.edit(id, { ...ruleset, enabled: false });
    assert.deepEqual([edited.rules[1].enabled, edited.rules[1].version, edited.version], [false, "2", "4"]);
    assert.equal(await rulesets.rules.delete(id, { ...ruleset, dry_run: true }), null);
    assert.equal((await rulesets.rules.delete(id, ruleset)).rules.length, 1);
    const updated = await rulesets.update(created.id, { ...owner, description: "new" });
    assert.deepEqual([updated.description, updated.rules], ["new", created.rules]);
    const versions = await collect(rulesets.versions.list(created.id, owner));
    assert.deepEqual(versions.map(({ version }) => version), ["1", "2", "3", "4", "5", "6"]);
    assert.deepEqual(await rulesets.versions.get("1", ruleset), created);
    await rulesets.versions.delete("1", ruleset);
    await assert.rejects(rulesets.versions.get("1", ruleset), Cloudflare.NotFoundError);
    await assert.rejects(rulesets.versions.delete("6", ruleset), Cloudflare.BadRequestError);
    if (kind === "zone") {
      const phaseVersions = await collect(rulesets.phases.versions.list(phase, owner));
      assert.deepEqual(phaseVersions.map(({ version }) => version), ["2", "3", "4", "5", "6"]);
      assert.deepEqual(await rulesets.phases.versions.get("6", { ...owner, ruleset_phase: phase }), updated);
    } else {
      const rules = [{ action: "execute", expression: "true", action_parameters: { id: created.id } }];
      await rulesets.phases.update(phase, { ...owner, rules });
      await assert.rejects(rulesets.delete(created.id, owner), Cloudflare.BadRequestError);
      await rulesets.phases.update(phase, { ...owner, rules: [] });
    }
    await assert.rejects(rulesets.create({ ...body, kind: "managed" }), (error) => {
      assert.deepEqual(error.errors.map(({ code, source }) => [code, source.pointer]), [[20120, "/kind"]]);
      return true;
    });
    await rulesets.delete(created.id, owner);
    await assert.rejects(rulesets.get(created.id, owner), Cloudflare.NotFoundError);
  }
});

test("rulesets: an account entry point has versions", async () => {
  const { phases } = ready.client.rulesets;
  const owner = ready.account;
  const phase = "http_request_firewall_managed";
  const managed = "efb7b8c949ac4650a09736fc376e9aee";
  const rules = [{ action: "execute", expression: 'cf.zone.name eq "example.com"', action_parameters: { id: managed } }];
  const first = await phases.update(phase, { ...owner, rules });
  const second = await phases.update(phase, { ...owner, rules: [{ ...first.rules[0], enabled: false }] });
  assert.equal(second.rules[0].id, first.rules[0].id);
  assert.deepEqual(await phases.get(phase, owner), second);
  assert.deepEqual((await collect(phases.versions.list(phase, owner))).map(({ version }) => version), ["1", "2"]);
  assert.deepEqual(await phases.versions.get("1", { ...owner, ruleset_phase: phase }), first);
  await expectRejection(phases.versions.get("9", { ...owner, ruleset_phase: phase }), NotFoundError, [10001]);
  const listed = await collect(ready.client.rulesets.list(owner));
  assert.ok(listed.some(({ kind, id }) => kind === "root" && id === first.id));
  assert.ok(listed.every((ruleset) => !("rules" in ruleset)));
  // The SDK no longer has a method for the rules of a category.
  const tag = `/accounts/${owner.account_id}/rulesets/${managed}/versions/1/by_tag/wordpress`;
  const { result } = await ready.client.get(tag);
  assert.ok(result.rules.length > 0 && result.rules.every(({ categories }) => categories.includes("wordpress")));
});

test("rulesets: invalid requests are rejected", async () => {
  const { rulesets } = ready.client;
  const owner = ready.zone;
  const phase = "http_request_firewall_custom";
  const update = (...rules) => rulesets.phases.update(phase, { ...owner, rules });
  const skip = { action: "skip", expression: "true" };
  await expectRejection(
    update({ action: "allow", expression: "ip.src eq" }, skip, { action: "block", expression: "ssl", logging: { enabled: true } }),
    BadRequestError,
    [20120, "/rules/0/action"],
    [20127, "/rules/0/expression"],
    [20113, "/rules/1/action_parameters"],
    [20018, "/rules/2/logging"],
  );
  await expectRejection(rulesets.phases.get("http_ratelimit", owner), NotFoundError, [10003]);
  await expectRejection(rulesets.get("0".repeat(32), owner), NotFoundError, [10001]);
  const created = await update({ action: "block", expression: "ssl" });
  const again = { ...owner, name: "again", kind: "zone", phase, rules: [] };
  await expectRejection(rulesets.create(again), BadRequestError, [20217, "/kind"]);
  const position = { before: "0".repeat(32) };
  const rule = { ...owner, action: "log", expression: "not ssl", position };
  await expectRejection(rulesets.rules.create(created.id, rule), BadRequestError, [20120, "/position/before"]);
  const unknown = { ...owner, ruleset_id: created.id };
  await expectRejection(rulesets.rules.delete("0".repeat(32), unknown), NotFoundError, [10001]);
  await rulesets.delete(created.id, owner);
});

test("migration: check, config and status are returned", async () => {
  const { zone_id } = ready.zoneNamed("blocked.example");
  // The SDK has no methods for migrations.
  const get = async (name, phase_two) => (await ready.client.get(`/zones/${zone_id}/waf_migration/${name}`, { query: { phase_two } })).result;
  const { compatible, migration_state } = await get("check", 1);
  assert.deepEqual([typeof compatible, migration_state], ["boolean", "start"]);
  assert.equal((await get("status")).new_waf_status, "disabled");
  const zones = ready.service.credentials.zones;
  const results = zones.map(({ id }) => ready.client.get(`/zones/${id}/waf_migration/config`, { query: { phase_two: 1 } }).catch((error) => error));
  const errors = (await Promise.all(results)).filter((answer) => answer instanceof BadRequestError);
  assert.ok(errors.length > 0 && errors.every(({ errors }) => [10301, 10302].includes(errors[0].code)), `${errors}`);
});

testEveryOperation("rulesets", ready);
