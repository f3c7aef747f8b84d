// The previous managed rules, the setting `waf`, and page rules through the official SDK.

import assert from "node:assert/strict";
import { test } from "node:test";
import Cloudflare from "cloudflare";
import { collect, testEveryOperation, expectRejection, setUpSdk } from "./sdk_support.mjs";

const { BadRequestError, NotFoundError } = Cloudflare;
const ready = setUpSdk();

test("page rules: create, list, edit, update, get and delete work", async () => {
  const owner = ready.zone;
  const before = await ready.client.pageRules.list(owner);
  assert.ok(before.length > 0, "the demo zone has page rules");
  const targets = [{ target: "url", constraint: { operator: "matches", value: "*sdk.example/*" } }];
  const sent = { targets, actions: [{ id: "waf", value: "off" }], priority: 9, status: "active" };
  const rule = await ready.client.pageRules.create({ ...owner, ...sent });
  for (const [name, value] of Object.entries(sent)) assert.deepEqual(rule[name], value, name);
  assert.deepEqual(await ready.client.pageRules.list(owner), [rule, ...before], "page rules are in descending order of priority");
  const edited = await ready.client.pageRules.edit(rule.id, { ...owner, status: "disabled" });
  assert.deepEqual({ ...edited, modified_on: rule.modified_on }, { ...rule, status: "disabled" });
  const disabled = await ready.client.pageRules.list({ ...owner, status: "disabled", order: "priority", direction: "asc" });
  assert.deepEqual(disabled.at(-1), edited);
  const actions = [{ id: "disable_security" }];
  const updated = await ready.client.pageRules.update(rule.id, { ...owner, targets, actions });
  assert.deepEqual([updated.actions, updated.priority], [actions, 1]);
  assert.deepEqual(await ready.client.pageRules.get(rule.id, owner), updated);
  await assert.rejects(ready.client.pageRules.create({ ...owner, ...sent }), /already has an existing page rule/);
  assert.deepEqual(await ready.client.pageRules.delete(rule.id, owner), { id: rule.id });
  await assert.rejects(ready.client.pageRules.get(rule.id, owner), Cloudflare.NotFoundError);
});

test("settings: waf can be read and changed", async () => {
  const owner = ready.zone;
  assert.equal((await ready.client.zones.settings.get("waf", owner)).value, "on");
  assert.equal((await ready.client.zones.settings.edit("waf", { ...owner, value: "off" })).value, "off");
  assert.equal((await ready.client.zones.settings.edit("waf", { ...owner, value: "on" })).value, "on");
  await assert.rejects(ready.client.zones.settings.get("ssl", owner), /Undefined zone setting: ssl/);
});

test("previous managed rules: packages, groups and rules can be listed and changed", async () => {
  const owner = ready.zone;
  const { packages } = ready.client.firewall.waf;
  const listed = await collect(packages.list(owner));
  assert.deepEqual(
    listed.map(({ name }) => name),
    ["CloudFlare", "OWASP ModSecurity Core Rule Set", "USER"],
  );
  const [{ id: package_id }, core] = listed;
  assert.deepEqual(await packages.get(core.id, owner), core);
  const groups = await collect(packages.groups.list(package_id, { ...owner, per_page: 5 }));
  const rules = await collect(packages.rules.list(package_id, { ...owner, per_page: 20 }));
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
  const simulated = await collect(packages.rules.list(package_id, { ...owner, mode: "SIM", match: "all" }));
  assert.ok(simulated.some(({ id }) => id === rule.id));
  await assert.rejects(packages.rules.edit(rule.id, { ...within, mode: "on" }), /Invalid or missing WAF Rule mode/);
});

test("previous managed rules: the sensitivity of a package can be changed", async () => {
  const owner = ready.zone;
  const [, core] = await collect(ready.client.firewall.waf.packages.list(owner));
  // The SDK has no method for this request.
  const edit = async (id, body) => (await ready.client.patch(`/zones/${owner.zone_id}/firewall/waf/packages/${id}`, { body })).result;
  const changed = await edit(core.id, { sensitivity: "low", action_mode: "simulate" });
  assert.deepEqual(changed, { ...core, sensitivity: "low", action_mode: "simulate" });
  await expectRejection(edit(core.id, { sensitivity: "highest" }), BadRequestError, [10015, "/sensitivity"]);
  const [rules] = await collect(ready.client.firewall.waf.packages.list(owner));
  await expectRejection(edit(rules.id, { sensitivity: "low" }), BadRequestError, [1027, ""]);
  const { packages } = ready.client.firewall.waf;
  await expectRejection(packages.get("0".repeat(32), owner), NotFoundError, [1002]);
  await expectRejection(packages.groups.get("0".repeat(32), { ...owner, package_id: core.id }), NotFoundError, [1002]);
  await expectRejection(packages.rules.get("nothing", { ...owner, package_id: core.id }), NotFoundError, [1002]);
});

test("previous managed rules: URL overrides can be created, changed and deleted", async () => {
  const owner = ready.zone;
  const { overrides } = ready.client.firewall.waf;
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


testEveryOperation("waf", ready);
