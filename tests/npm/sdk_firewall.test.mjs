// Filters and firewall rules through the official SDK: single objects, bulk requests, pagination and errors.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import Cloudflare from "cloudflare";
import { collect, testEveryOperation, expectRejection, setUpSdk } from "./sdk_support.mjs";

const { BadRequestError, NotFoundError } = Cloudflare;
const ready = setUpSdk();
const unknown = "0".repeat(32);
/** An Enterprise zone without rules. */
const zone = () => ready.zoneNamed("blocked.example");

/** Creates one filter for each expression. */
async function createFilters(...expressions) {
  const body = expressions.map((expression) => ({ expression }));
  return collect(ready.client.filters.create({ ...zone(), body }));
}

afterEach(async () => {
  const rules = (await collect(ready.client.firewall.rules.list(zone()))).map(({ id }) => id);
  if (rules.length > 0) await collect(ready.client.firewall.rules.bulkDelete(zone(), { query: { id: rules } }));
  const id = (await collect(ready.client.filters.list(zone()))).map(({ id }) => id);
  if (id.length > 0) await ready.client.filters.bulkDelete({ ...zone(), id });
});

test("filters: create, list with every parameter, get, update and delete work", async () => {
  const { client } = ready;
  const body = [
    { expression: 'http.host eq "one.example"', description: "The first one", ref: "FIL-1" },
    { expression: 'http.host eq "two.example"', paused: true },
  ];
  const [first, second] = await collect(client.filters.create({ ...zone(), body }));
  assert.deepEqual({ ...first, id: undefined }, { id: undefined, paused: false, ...body[0] });
  assert.deepEqual({ ...second, id: undefined }, { id: undefined, ...body[1] });
  for (const [query, found] of [
    [{}, [first, second]],
    [{ id: second.id }, [second]],
    [{ expression: "ONE.example" }, [first]],
    [{ description: "first" }, [first]],
    [{ ref: "FIL-1" }, [first]],
    [{ ref: "FIL" }, []],
    [{ paused: true }, [second]],
    [{ paused: false, page: 1, per_page: 5 }, [first]],
  ]) {
    assert.deepEqual(await collect(client.filters.list({ ...zone(), ...query })), found, JSON.stringify(query));
  }
  assert.deepEqual(await client.filters.get(first.id, zone()), first);
  const changed = await client.filters.update(first.id, { ...zone(), expression: "ssl" });
  assert.deepEqual(changed, { id: first.id, expression: "ssl", paused: false }, "members that are not sent are reset");
  const update = [{ ...first, expression: "not ssl" }, { ...second, paused: false }];
  assert.deepEqual(await collect(client.filters.bulkUpdate({ ...zone(), body: update })), update);
  assert.deepEqual(await client.filters.delete(first.id, zone()), { id: first.id });
  const removed = await client.filters.bulkDelete({ ...zone(), id: [second.id, unknown] });
  assert.deepEqual(removed.map(({ id }) => id), [second.id]);
  assert.deepEqual(await collect(client.filters.list(zone())), []);
});

test("filters: invalid requests are rejected", async () => {
  const { client } = ready;
  const [filter] = await createFilters("ssl");
  const create = (...body) => collect(client.filters.create({ ...zone(), body }));
  await expectRejection(
    create({ expression: "http.host eq 'a'" }, { description: "nothing" }),
    BadRequestError,
    [10016, "/0/expression"],
    [10014, "/1/expression"],
  );
  await assert.rejects(create({ expression: "ssl" }), ({ errors: [error] }) => {
    assert.deepEqual([error.code, error.meta.id, error.message], [10102, filter.id, "config duplicates an already existing config"]);
    return true;
  });
  const rule = { action: "block", filter: { id: filter.id } };
  const [{ id }] = await collect(client.firewall.rules.create(zone(), { body: [rule] }));
  await expectRejection(client.filters.delete(filter.id, zone()), BadRequestError, [10104]);
  await collect(client.firewall.rules.bulkDelete(zone(), { query: { id } }));
  await expectRejection(client.filters.update(unknown, { ...zone(), expression: "ssl" }), NotFoundError, [10001]);
  await expectRejection(client.filters.get(unknown, zone()), NotFoundError, [10001]);
  await expectRejection(client.filters.get("short", zone()), NotFoundError, [7003], [7000]);
  await expectRejection(collect(client.filters.list({ ...zone(), per_page: 1000 })), BadRequestError, [10015]);
  await expectRejection(client.filters.bulkUpdate({ ...zone(), body: [{ ...filter, id: unknown }] }), BadRequestError, [10001, "/0/id"]);
});

test("filters: an expression can be validated without saving", async () => {
  // The SDK has no method for this endpoint.
  const path = "/filters/validate-expr";
  for (const call of [
    (expression) => ready.client.get(path, { query: { expression } }),
    (expression) => ready.client.post(path, { body: { expression } }),
  ]) {
    const right = await call("ip.src in {192.0.2.0/24}");
    assert.deepEqual([right.success, right.result, right.errors], [true, null, []]);
    await assert.rejects(call("ip.src in {192.0.2.0/24"), (error) => {
      assert.ok(error instanceof BadRequestError);
      assert.match(error.errors[0].message, /^Filter parsing error \(1:11\):\nip\.src in \{192\.0\.2\.0\/24\n {10}\^.*\n\nerror\[unclosed-delimiter\]: /);
      return true;
    });
  }
});

test("rules: create, list with every parameter, get, update and delete work", async () => {
  const { rules } = ready.client.firewall;
  const [filter] = await createFilters("ssl");
  // The SDK sends an object where an array is documented; `body` sends the array.
  const [first] = await collect(rules.create({ ...zone(), action: "block", filter: { expression: "not ssl" } }));
  assert.equal(first.filter.expression, "not ssl");
  const sent = { action: "bypass", products: ["waf", "bic"], filter, paused: true, priority: 7, description: "The office", ref: "MIR-1" };
  const [second] = await collect(rules.create(zone(), { body: [sent] }));
  for (const [name, value] of Object.entries(sent)) assert.deepEqual(second[name], value, name);
  for (const [query, found] of [
    [{}, [first, second]],
    [{ id: second.id }, [second]],
    [{ action: "block" }, [first]],
    [{ description: "office" }, [second]],
    [{ paused: true }, [second]],
    [{ paused: false, page: 1, per_page: 5 }, [first]],
  ]) {
    const listed = await collect(rules.list({ ...zone(), ...query }));
    assert.deepEqual(listed.map(({ id }) => id).toSorted(), found.map(({ id }) => id).toSorted(), JSON.stringify(query));
  }
  assert.deepEqual(await rules.get(second.id, zone()), second);
  const body = { id: second.id, action: "log", filter: { id: filter.id, expression: "is ignored" } };
  const updated = await rules.update(second.id, { ...zone(), ...body });
  assert.deepEqual([updated.action, updated.filter, updated.products, updated.priority], ["log", filter, undefined, null]);
  const many = [first, second].map(({ id, filter }) => ({ id, filter: { id: filter.id }, action: "js_challenge" }));
  const both = await collect(rules.bulkUpdate(zone(), { body: many }));
  assert.deepEqual(both.map(({ id, action }) => [id, action]), [[first.id, "js_challenge"], [second.id, "js_challenge"]]);
  const prioritized = await collect(rules.edit(first.id, { ...zone(), priority: 50 }));
  assert.deepEqual(prioritized.map(({ id, priority }) => [id, priority]), [[first.id, 50]]);
  const priorities = [{ id: first.id, priority: 2 }, { id: second.id, priority: 1 }];
  const edited = await collect(rules.bulkEdit(zone(), { body: priorities }));
  assert.deepEqual(edited.map(({ id, priority }) => ({ id, priority })), priorities);
  // The body of a deletion is documented; the SDK forwards it from its options.
  const deleted = await rules.delete(first.id, zone(), { body: { delete_filter_if_unused: true } });
  assert.equal(deleted.id, first.id);
  await expectRejection(ready.client.filters.get(first.filter.id, zone()), NotFoundError, [10001]);
  const deletedRules = await collect(rules.bulkDelete(zone(), { query: { id: [second.id, unknown] } }));
  assert.deepEqual(deletedRules.map(({ id }) => id), [second.id]);
  assert.deepEqual(await ready.client.filters.get(filter.id, zone()), filter, "the filter is not deleted");
  assert.deepEqual(await collect(rules.bulkDelete(zone())), [], "without IDs nothing is deleted");
});

test("rules: invalid requests are rejected", async () => {
  const { rules } = ready.client.firewall;
  const [filter] = await createFilters("ssl");
  const create = (body, owner = zone()) => collect(rules.create(owner, { body }));
  await expectRejection(
    create([{ action: "drop", filter }, { action: "bypass", filter }, { action: "block", filter: { expression: "ssl eq" } }]),
    BadRequestError,
    [10015, "/0/action"],
    [10015, "/1/products"],
    [10016, "/2/filter/expression"],
  );
  await expectRejection(create([{ action: "log", filter: { expression: "ssl" } }], ready.zoneNamed("pro.example")), BadRequestError, [10015, "/0/action"]);
  await expectRejection(create([{ action: "block", filter: { id: unknown } }]), BadRequestError, [10001, "/0/filter/id"]);
  await expectRejection(rules.update(unknown, { ...zone(), action: "block", filter: { id: filter.id } }), NotFoundError, [10001]);
  await expectRejection(rules.update(unknown, { ...zone(), action: "block", filter: {} }), BadRequestError, [10014, "/filter/id"]);
  await expectRejection(collect(rules.edit(unknown, { ...zone(), priority: -1 })), BadRequestError, [10014, "/priority"]);
  await expectRejection(collect(rules.bulkEdit(zone(), { body: [{ id: unknown, priority: 1 }] })), BadRequestError, [10001, "/0/id"]);
  await expectRejection(rules.get(unknown, zone()), NotFoundError, [10001]);
  await expectRejection(rules.delete(unknown, zone()), NotFoundError, [10001]);
});

test("lists are paginated up to the last page", async () => {
  const { client } = ready;
  const created = await createFilters(...Array.from({ length: 28 }, (_, number) => `ip.src eq 192.0.2.${number}`));
  const body = created.map(({ id }) => ({ action: "block", filter: { id }, paused: true }));
  await collect(client.firewall.rules.create(zone(), { body }));
  for (const list of [client.filters, client.firewall.rules]) {
    const items = await collect(list.list({ ...zone(), per_page: 5 }));
    assert.equal(new Set(items.map(({ id }) => id)).size, 28);
    const page = await list.list({ ...zone(), per_page: 10, page: 3 });
    assert.deepEqual(page.result_info, { page: 3, per_page: 10, count: 8, total_count: 28, total_pages: 3 });
    const past = await page.getNextPage();
    assert.deepEqual(past.getPaginatedItems(), []);
    assert.equal(past.hasNextPage(), false);
  }
});

testEveryOperation("firewall", ready);
