// Zones, accounts and tokens through the official SDK, and errors for missing or invalid credentials.

import assert from "node:assert/strict";
import { test } from "node:test";
import Cloudflare from "cloudflare";
import { collect, testEveryOperation, expectRejection, setUpSdk } from "./sdk_support.mjs";

const { BadRequestError, NotFoundError, PermissionDeniedError } = Cloudflare;
const ready = setUpSdk();
const unknown = "0".repeat(32);

test("zones: list is paginated and get returns a zone", async () => {
  const { client, service } = ready;
  const zones = await collect(client.zones.list({ per_page: 5 }));
  assert.deepEqual(zones.map(({ id, name }) => ({ id, name })), service.credentials.zones.map(({ id, name }) => ({ id, name })));
  assert.ok(zones.length > 5, "there is more than a page");
  const [zone] = await collect(client.zones.list({ name: "pro.example" }));
  assert.equal(zone.plan.legacy_id, "pro");
  assert.deepEqual(await client.zones.get({ zone_id: zone.id }), zone);
  assert.equal(zone.account.id, ready.account.account_id);
  await expectRejection(client.zones.get({ zone_id: unknown }), NotFoundError, [7003]);
  await expectRejection(collect(client.zones.list({ per_page: 1 })), BadRequestError, [10015]);
});

test("accounts: list, get and the user are returned", async () => {
  const { client, account, service } = ready;
  const [own, ...others] = await collect(client.accounts.list());
  assert.deepEqual([own, others], [{ id: account.account_id, name: "Demo", type: "standard" }, []]);
  assert.deepEqual(await client.accounts.get(account), own);
  assert.deepEqual(await collect(client.accounts.list({ name: "Other" })), []);
  await expectRejection(client.accounts.get({ account_id: unknown }), NotFoundError, [7003]);
  const { email: apiEmail, key: apiKey } = service.credentials;
  const { id, email } = await ready.connect({ apiEmail, apiKey }).user.get();
  assert.equal(email, apiEmail);
  assert.match(id, /^[0-9a-f]{32}$/);
  await expectRejection(client.user.get(), PermissionDeniedError, [9109]);
});

test("tokens: verify accepts valid tokens only", async () => {
  const { status, id } = await ready.client.user.tokens.verify();
  assert.equal(status, "active");
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.deepEqual(await ready.client.accounts.tokens.verify(ready.account), { id, status });
  await expectRejection(ready.client.accounts.tokens.verify({ account_id: unknown }), NotFoundError, [7003]);
  const unauthorized = ready.connect({ apiToken: "x".repeat(40) });
  await assert.rejects(unauthorized.user.tokens.verify(), (error) => {
    assert.ok(error instanceof Cloudflare.AuthenticationError, `${error}`);
    assert.deepEqual(error.errors.map(({ code, message }) => [code, message]), [[1000, "Invalid API Token"]]);
    return true;
  });
});

test("audit log: list is paginated and finds one entry by ID", async () => {
  const { client, account, zone } = ready;
  for (const expression of ["ssl", "not ssl", "http.host eq \"log.example\""]) {
    await client.filters.create({ ...zone, body: [{ expression }] });
  }
  const { name } = await client.zones.get(zone);
  const search = { ...account, direction: "asc", action: { type: "filter.create" }, zone: { name }, per_page: 2 };
  const entries = await collect(client.auditLogs.list(search));
  assert.deepEqual(entries.map((entry) => entry.newValueJson.expression), ["ssl", "not ssl", "http.host eq \"log.example\""]);
  assert.ok(entries.every((entry) => entry.metadata.zone_id === zone.zone_id && entry.owner.id === account.account_id));
  const [entry] = await collect(client.auditLogs.list({ ...account, id: entries[1].id }));
  assert.deepEqual(entry, entries[1]);
  await expectRejection(collect(client.auditLogs.list({ account_id: unknown })), NotFoundError, [7003]);
});

test("an API key with its email address authenticates", async () => {
  const { email: apiEmail, key: apiKey } = ready.service.credentials;
  const client = ready.connect({ apiEmail, apiKey });
  assert.ok((await collect(client.zones.list())).length > 5);
  const { filters } = ready.connect({ apiEmail, apiKey: "0".repeat(37) });
  await expectRejection(collect(filters.list(ready.zone)), PermissionDeniedError, [9103]);
});

test("missing, wrong and malformed credentials are rejected", async () => {
  const list = (options) => collect(ready.connect(options).filters.list(ready.zone));
  await expectRejection(list({ apiToken: "x".repeat(40) }), PermissionDeniedError, [10000]);
  await expectRejection(list({ apiToken: "has spaces" }), BadRequestError, [6003]);
  await expectRejection(list({ apiToken: "none", defaultHeaders: { authorization: null } }), BadRequestError, [9106]);
});

test("unknown paths and methods are rejected", async () => {
  const { client } = ready;
  await expectRejection(client.get("/zones/short/filters"), NotFoundError, [7003], [7000]);
  await expectRejection(client.get("/nothing"), NotFoundError, [7003], [7000]);
  await assert.rejects(client.patch(`/zones/${ready.zone.zone_id}/filters`, { body: [] }), ({ status, errors }) => {
    assert.deepEqual([status, errors[0].code], [405, 10405]);
    return true;
  });
  await assert.rejects(client.post("/filters/validate-expr", { body: "{" }), ({ status }) => status === 400);
});

testEveryOperation("zones", ready);
