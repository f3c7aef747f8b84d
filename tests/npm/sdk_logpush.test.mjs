// Log push through the official SDK: jobs, datasets, ownership and validation.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import Cloudflare from "cloudflare";
import { collect, testEveryOperation, expectRejection, setUpSdk } from "./sdk_support.mjs";

const destination_conf = "s3://logs/{DATE}?region=us-west-2&access-key-id=a&secret-access-key=b";
const filter = '{"where":{"key":"ClientRequestHost","operator":"eq","value":"example.com"}}';
const ready = setUpSdk();
/** A zone and an account, each with a dataset. */
const owners = () => [[ready.zone, "http_requests"], [ready.account, "audit_logs"]];

test("jobs: create, list, get, update and delete work", async () => {
  for (const [owner, dataset] of owners()) {
    const output_options = { field_names: ["RayID"], timestamp_format: "rfc3339", "CVE-2021-44228": true };
    if (dataset !== "http_requests") output_options.field_names = ["ActionType"];
    const sent = { name: "example.com", dataset, destination_conf, output_options, frequency: "high" };
    const job = await ready.client.logpush.jobs.create({ ...owner, ...sent });
    assert.equal(typeof job.id, "number");
    for (const [name, value] of Object.entries(sent)) assert.deepEqual(job[name], value, name);
    assert.equal(job.enabled, false);
    assert.equal(job.last_error, null);
    assert.deepEqual(await collect(ready.client.logpush.jobs.list(owner)), [job]);
    assert.deepEqual(await ready.client.logpush.jobs.get(job.id, owner), job);
    const updated = await ready.client.logpush.jobs.update(job.id, { ...owner, enabled: true, max_upload_records: 1000 });
    assert.deepEqual(updated, { ...job, enabled: true, max_upload_records: 1000 });
    assert.deepEqual(await ready.client.logpush.jobs.delete(job.id, owner), { id: job.id });
    await assert.rejects(ready.client.logpush.jobs.get(job.id, owner), Cloudflare.NotFoundError);
  }
});

test("jobs: a valid filter is stored and an invalid one is rejected with its code", async () => {
  const owner = ready.zone;
  const job = await ready.client.logpush.jobs.create({ ...owner, destination_conf, filter });
  assert.equal(job.filter, filter);
  await ready.client.logpush.jobs.delete(job.id, owner);
  await assert.rejects(ready.client.logpush.jobs.create({ ...owner, destination_conf, filter: "{}" }), (error) => {
    assert.ok(error instanceof Cloudflare.BadRequestError);
    assert.equal(error.errors[0].code, 1004);
    return true;
  });
});

test("jobs: the maximum number of jobs is enforced", async () => {
  for (const [owner, dataset] of owners()) {
    const body = { ...owner, dataset, destination_conf };
    for (let number = 0; number < 4; number++) await ready.client.logpush.jobs.create(body);
    await assert.rejects(ready.client.logpush.jobs.create(body), /exceeded max jobs allowed/);
    const jobs = await collect(ready.client.logpush.datasets.jobs.get(dataset, owner));
    assert.equal(jobs.length, 4);
    for (const { id } of jobs) await ready.client.logpush.jobs.delete(id, owner);
    assert.deepEqual(await collect(ready.client.logpush.datasets.jobs.get(dataset, owner)), []);
  }
});

test("datasets: fields and default fields are listed", async () => {
  for (const [owner, dataset] of owners()) {
    const fields = await ready.client.logpush.datasets.fields.get(dataset, owner);
    const names = Object.keys(fields);
    assert.ok(names.length > 10);
    assert.deepEqual(names, names.toSorted());
    for (const field of Object.values(fields)) assert.match(field, /^[a-z[\]]+; \S/);
    // The SDK has no method for the default fields; its client sends the request anyway.
    const [[scope, id]] = Object.entries(owner);
    const path = `/${scope.replace("_id", "s")}/${id}/logpush/datasets/${dataset}/fields/default`;
    const { result } = await ready.client.get(path);
    assert.ok(Object.keys(result).length > 10 && Object.keys(result).length < names.length);
    for (const [name, field] of Object.entries(result)) assert.equal(field, fields[name]);
  }
});

test("ownership: a challenge is written, validated and accepted", async () => {
  for (const [owner, dataset] of owners()) {
    const body = { ...owner, destination_conf: "file:///team/{DATE}" };
    const { filename, valid, message } = await ready.client.logpush.ownership.create(body);
    assert.deepEqual([valid, message], [true, ""]);
    const ownership_challenge = await readFile(join(ready.files, filename), "utf8");
    assert.deepEqual(await ready.client.logpush.ownership.validate({ ...body, ownership_challenge }), { valid: true });
    assert.deepEqual(await ready.client.logpush.ownership.validate({ ...body, ownership_challenge: "x" }), { valid: false });
    const job = await ready.client.logpush.jobs.create({ ...body, dataset, ownership_challenge });
    await ready.client.logpush.jobs.delete(job.id, owner);
    await assert.rejects(
      ready.client.logpush.jobs.create({ ...body, dataset, ownership_challenge: "x" }),
      /incorrect ownership challenge/,
    );
    const bad = await ready.client.logpush.ownership.create({ ...owner, destination_conf: "s3://bucket" });
    assert.equal(bad.valid, false);
    assert.match(bad.message, /^destination is invalid/);
  }
});

test("validate: destination, existence and origin are checked", async () => {
  for (const [owner, dataset] of owners()) {
    const { validate } = ready.client.logpush;
    assert.deepEqual(await validate.destination({ ...owner, destination_conf }), { valid: true, message: "" });
    assert.equal((await validate.destination({ ...owner, destination_conf: "s3://bucket" })).valid, false);
    assert.deepEqual(await validate.destinationExists({ ...owner, destination_conf }), { exists: false });
    const { id } = await ready.client.logpush.jobs.create({ ...owner, dataset, destination_conf });
    assert.deepEqual(await validate.destinationExists({ ...owner, destination_conf }), { exists: true });
    await ready.client.logpush.jobs.delete(id, owner);
  }
  const origin = (owner, logpull_options) => ready.client.logpush.validate.origin({ ...owner, logpull_options });
  for (const [owner] of owners()) {
    assert.deepEqual(await origin(owner, "fields=RayID&timestamps=rfc3339"), { valid: true, message: "" });
  }
  assert.equal((await origin(ready.zone, "fields=NoSuchField")).valid, false);
});

test("jobs: lists, updates and errors have the documented shape", async () => {
  for (const [owner, dataset] of owners()) {
    const first = await ready.client.logpush.jobs.create({ ...owner, dataset, destination_conf });
    const second = await ready.client.logpush.jobs.create({ ...owner, dataset, destination_conf, name: "b" });
    assert.deepEqual((await collect(ready.client.logpush.jobs.list(owner))).map(({ id }) => id), [first.id, second.id]);
    const output_options = { output_type: "csv", field_names: Object.keys(await ready.client.logpush.datasets.fields.get(dataset, owner)).slice(0, 2) };
    const updated = await ready.client.logpush.jobs.update(first.id, { ...owner, output_options, frequency: "low" });
    assert.deepEqual([updated.output_options, updated.frequency], [output_options, "low"]);
    await assert.rejects(ready.client.logpush.jobs.update(first.id, { ...owner, max_upload_bytes: 1 }), (error) => {
      assert.ok(error instanceof Cloudflare.BadRequestError);
      assert.deepEqual(error.errors.map(({ code, source }) => [code, source.pointer]), [[1002, "/max_upload_bytes"]]);
      return true;
    });
    for (const { id } of [first, second]) await ready.client.logpush.jobs.delete(id, owner);
    await assert.rejects(ready.client.logpush.jobs.update(first.id, { ...owner, enabled: true }), Cloudflare.NotFoundError);
    await assert.rejects(ready.client.logpush.jobs.delete(first.id, owner), Cloudflare.NotFoundError);
  }
});

test("transformers: every request is rejected with the documented code", async () => {
  const owner = ready.account;
  const { transformers } = ready.client.logpush;
  const calls = [
    () => transformers.create({ ...owner, name: "a", code: "select 1", dataset: "audit_logs" }),
    () => transformers.update(1, { ...owner, name: "a" }),
    () => collect(transformers.list(owner)),
    () => transformers.get(1, owner),
    () => transformers.delete(1, owner),
    () => collect(transformers.preview({ ...owner, code: "select 1" })),
    () => transformers.content.get(1, owner),
    () => collect(transformers.versions.list(1, owner)),
  ];
  for (const call of calls) {
    await assert.rejects(call(), (error) => {
      assert.ok(error instanceof Cloudflare.PermissionDeniedError, error);
      assert.match(error.message, /transformer feature is not available for this account/);
      return true;
    });
  }
});

test("edge: instant logs are rejected with 10501", async () => {
  const owner = ready.zone;
  assert.deepEqual(await collect(ready.client.logpush.edge.get(owner)), []);
  const created = ready.client.logpush.edge.create({ ...owner, fields: "ClientIP", sample: 1, kind: "instant-logs" });
  await assert.rejects(created, /instant logs are not available/);
  // The SDK has no methods for the older path.
  const path = `/zones/${owner.zone_id}/logpush/edge`;
  assert.deepEqual((await ready.client.get(path)).result, []);
  await assert.rejects(ready.client.post(path, { body: { fields: "ClientIP" } }), /instant logs are not available/);
});


testEveryOperation("logpush", ready);
