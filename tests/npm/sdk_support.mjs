// Shared helpers of the SDK tests: a service, a client that records its calls, and assertions on errors.

import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import Cloudflare from "cloudflare";
import { createDataDirectory, removeDirectory, startService } from "../e2e/support/service.mjs";
import { findOperation, operations } from "./sdk_operations.mjs";

/** Starts the service and creates a client for the tests of a file, before the first test runs. */
export function setUpSdk() {
  const ready = { statusesByOperation: new Map(), called: new Set() };
  let data;
  before(async () => {
    data = await createDataDirectory();
    ready.files = await mkdtemp(join(tmpdir(), "zonewright-files-"));
    const options = ["--logpush-files", ready.files, "--migration-delay", "0"];
    ready.service = await startService(data, "127.0.0.1:0", options);
    const { base_url: baseURL, token: apiToken, account_id, zone_id } = ready.service.credentials;
    const recordingFetch = async (url, init) => {
      const response = await fetch(url, init);
      recordResponse(ready.statusesByOperation, init.method, new URL(url).pathname, response.status);
      return response;
    };
    ready.connect = (options) => new Cloudflare({ baseURL, maxRetries: 0, fetch: recordingFetch, ...options });
    ready.client = trackCalls(ready.connect({ apiToken }), [], ready.called);
    ready.zone = { zone_id };
    ready.account = { account_id };
    ready.zoneNamed = (name) => ({ zone_id: ready.service.credentials.zones.find((zone) => zone.name === name).id });
  });
  after(async () => {
    await ready.service?.stop();
    await Promise.all([data, ready.files].filter(Boolean).map(removeDirectory));
  });
  return ready;
}

/** Adds the last test of a file: every operation was called through its SDK method and got the expected status. */
export function testEveryOperation(part, { statusesByOperation, called }) {
  test(`every documented operation of ${part} was called`, () => {
    const missing = operations
      .filter((operation) => operation.part === part)
      .filter((operation) => {
        const statuses = statusesByOperation.get(operation) ?? new Set();
        const isExpected = (status) => (operation.refused ? status === 400 || status === 403 : status === 200 || status === 204);
        return ![...statuses].some(isExpected) || (operation.call && !called.has(operation.call));
      });
    assert.deepEqual(missing, []);
  });
}

function recordResponse(statusesByOperation, method, path, status) {
  const operation = findOperation(method.toUpperCase(), path);
  if (operation) statusesByOperation.set(operation, (statusesByOperation.get(operation) ?? new Set()).add(status));
}

/** Wraps the client so that it records the names of the called methods. */
function trackCalls(target, path, called) {
  return new Proxy(target, {
    get(object, name) {
      const value = object[name];
      if (typeof name !== "string" || name.startsWith("_")) return value;
      if (typeof value === "function") {
        return (...parameters) => {
          called.add([...path, name].join("."));
          return value.apply(object, parameters);
        };
      }
      return value && typeof value === "object" ? trackCalls(value, [...path, name], called) : value;
    },
  });
}

/** Collects the items of a list over all pages. */
export async function collect(list) {
  const items = [];
  for await (const item of list) items.push(item);
  return items;
}

/** Asserts that a call fails with an error of an SDK class that has each code and pointer. */
export async function expectRejection(call, kind, ...errors) {
  const statuses = new Map([
    [Cloudflare.BadRequestError, 400],
    [Cloudflare.PermissionDeniedError, 403],
    [Cloudflare.NotFoundError, 404],
  ]);
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof kind, `${error}`);
    assert.equal(error.status, statuses.get(kind) ?? error.status);
    assert.deepEqual(error.errors.map(({ code, source }) => [code, source?.pointer].filter((part) => part !== undefined)), errors);
    for (const { message } of error.errors) assert.ok(message.length > 0 && error.message.includes(JSON.stringify(message)));
    assert.match(error.headers.get("content-type"), /^application\/json/);
    return true;
  });
}
