// Log push through the real binary: to a directory, to an HTTP receiver and to an S3 server, across crashes, and with
// a slow receiver.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import S3rver from "s3rver";
import { createDataDirectory, removeDirectory, startService } from "./support/service.mjs";

const OPTIONS = ["--logpush-allow-http", "--logpush-allow-private", "--logpush-interval", "1"];
/** The filter of the jobs. */
const FILTER = JSON.stringify({ where: { and: [
  { key: "ClientCountry", operator: "!in", value: ["ca", "mx"] },
  { key: "EdgeResponseStatus", operator: "geq", value: 500 },
] } });
const matchesFilter = (record) => !["ca", "mx"].includes(record.ClientCountry) && record.EdgeResponseStatus >= 500;

let number = 0;
function record() {
  number += 1;
  const pick = (...values) => values[Math.floor(Math.random() * values.length)];
  return { RayID: `ray-${number}`, ClientCountry: pick("ca", "us", "mx", "de"), EdgeResponseStatus: pick(200, 404, 500, 503) };
}
const ndjson = (records) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const readRayIds = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line).RayID);

/** Waits until `poll` returns a truthy value. */
async function waitUntil(description, poll, seconds = 30) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await poll();
    if (found) return found;
    assert.ok(Date.now() < end, `timed out: ${description}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The API of a running service. */
function api(service) {
  const { token, zone_id: zone } = service.credentials;
  const call = async (method, path, body, headers = {}) => {
    const address = `${service.url}/client/v4/zones/${zone}/logpush${path}`;
    const response = await fetch(address, { method, body, headers: { authorization: `Bearer ${token}`, ...headers } });
    return { status: response.status, ...(await response.json()) };
  };
  return {
    async createJob(settings) {
      const job = { dataset: "http_requests", enabled: true, filter: FILTER, output_options: { field_names: ["RayID"] }, ...settings };
      const created = await call("POST", "/jobs", JSON.stringify(job));
      assert.ok(created.success, JSON.stringify(created));
      return created.result.id;
    },
    getJob: async (id) => (await call("GET", `/jobs/${id}`)).result,
    ingest: (text, headers) => call("POST", "/ingest/http_requests", text, headers),
  };
}

/** Reads the texts of all objects below a directory whose names have this ending. */
async function readObjects(folder, ending = ".log.gz") {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true });
  const files = entries.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
  return Promise.all(files.map(async (file) => gunzipSync(await readFile(file)).toString()));
}

/** Starts a receiver that records every batch and responds after `delay()` milliseconds. */
async function startReceiver(delay = () => 0) {
  const batches = [];
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    batches.push({ method: request.method, headers: request.headers, text: gunzipSync(Buffer.concat(parts)).toString() });
    await new Promise((resolve) => setTimeout(resolve, delay()).unref());
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { batches, port: server.address().port, close: () => { server.closeAllConnections(); server.close(); } };
}

describe("log push delivery", () => {
  let data, files, service, bucket, inbox;
  before(async () => {
    data = await createDataDirectory();
    files = join(data, "pushed");
    await mkdir(files);
    bucket = new S3rver({
      port: 0, address: "127.0.0.1", silent: true, directory: join(data, "s3"), configureBuckets: [{ name: "logs" }],
    });
    bucket.port = (await bucket.run()).port;
    inbox = await startReceiver();
    service = await startService(join(data, "data"), undefined, [...OPTIONS, "--logpush-files", files]);
  });
  after(async () => {
    await service?.stop();
    inbox?.close();
    await bucket?.close();
    await removeDirectory(data);
  });

  test("delivery sends exactly the matching records to a directory, over HTTP and to S3", async () => {
    const { createJob, ingest, getJob } = api(service);
    const s3 = "region=us-east-1&access-key-id=S3RVER&secret-access-key=S3RVER";
    const ids = [
      await createJob({ destination_conf: "file:///in/{DATE}" }),
      await createJob({ destination_conf: `http://127.0.0.1:${inbox.port}/logs?header_X-Key=abc` }),
      await createJob({ destination_conf: `s3://logs/in/{DATE}?${s3}&endpoint=127.0.0.1:${bucket.port}` }),
    ];
    const sent = [];
    for (let n = 0; n < 20; n += 1) {
      const records = Array.from({ length: 50 }, record);
      sent.push(...records);
      const isCompressed = n % 2 === 0;
      const response = isCompressed
        ? await ingest(gzipSync(ndjson(records)), { "content-encoding": "gzip" })
        : await ingest(ndjson(records));
      assert.deepEqual(response.result, { accepted: 50, rejected: 0, problems: [] });
    }
    const expected = sent.filter(matchesFilter).map((record) => record.RayID).sort();
    assert.ok(expected.length > 100);
    const found = async () => [
      (await readObjects(files)).flatMap(readRayIds),
      inbox.batches.flatMap((batch) => readRayIds(batch.text)),
      (await readObjects(join(data, "s3"), "_object")).flatMap(readRayIds),
    ];
    await waitUntil("all lines are delivered", async () => (await found()).every((list) => list.length >= expected.length));
    for (const list of await found()) assert.deepEqual(list.sort(), expected);
    assert.equal(inbox.batches[0].method, "POST");
    assert.equal(inbox.batches[0].headers["x-key"], "abc");
    for (const id of ids) {
      const settled = await waitUntil("the job reports the delivery", async () => {
        const now = await getJob(id);
        return now.last_complete && now;
      });
      assert.equal(settled.error_message, null);
    }
  });
});

test("a killed service loses no acknowledged line", async () => {
  const data = await createDataDirectory();
  const files = join(data, "pushed");
  await mkdir(files);
  const inbox = await startReceiver(() => Math.random() * 300);
  const options = [...OPTIONS, "--logpush-files", files];
  let service = await startService(join(data, "data"), undefined, options);
  try {
    await api(service).createJob({ destination_conf: "file:///in" });
    await api(service).createJob({ destination_conf: `http://127.0.0.1:${inbox.port}/` });
    const acknowledged = [];
    const sent = new Set();
    for (let round = 0; round < 5; round += 1) {
      let over = false;
      const { ingest } = api(service);
      const client = async () => {
        while (!over) {
          const records = Array.from({ length: 1 + Math.floor(Math.random() * 40) }, record);
          records.forEach((record) => sent.add(record.RayID));
          try {
            const response = await ingest(ndjson(records));
            if (response.success) acknowledged.push(...records);
          } catch {
            // The service was killed before it responded, so the lines may or may not be stored.
          }
        }
      };
      const clients = [client(), client(), client()];
      await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 1700));
      await service.crash();
      over = true;
      await Promise.all(clients);
      service = await startService(join(data, "data"), undefined, options);
    }
    const expected = acknowledged.filter(matchesFilter).map((record) => record.RayID);
    assert.ok(expected.length > 200, `${expected.length}`);
    const drops = new Set(acknowledged.filter((record) => !matchesFilter(record)).map((record) => record.RayID));
    const lists = async () => [(await readObjects(files)).flatMap(readRayIds), inbox.batches.flatMap((batch) => readRayIds(batch.text))];
    const missing = (list) => {
      const present = new Set(list);
      return expected.filter((ray) => !present.has(ray));
    };
    await waitUntil("all acknowledged lines are delivered", async () => (await lists()).every((list) => missing(list).length === 0), 60);
    for (const list of await lists()) {
      assert.ok(list.every((ray) => sent.has(ray) && !drops.has(ray)), "only lines that the filter keeps");
    }
  } finally {
    await service.stop();
    inbox.close();
    await removeDirectory(data);
  }
});

/** Returns the resident memory in MiB, or 0 if the system does not report it. */
async function residentMiB(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
}

test("a slow receiver keeps memory bounded and a full spool returns 429", async () => {
  const data = await createDataDirectory();
  const inbox = await startReceiver(() => 60_000);
  const options = [...OPTIONS, "--logpush-spool-bytes", String(96 << 20)];
  const service = await startService(join(data, "data"), undefined, options);
  try {
    const { createJob, ingest } = api(service);
    await createJob({ filter: null, destination_conf: `http://127.0.0.1:${inbox.port}/` });
    const before = await residentMiB(service.pid);
    const lines = `${JSON.stringify({ ...record(), ClientRequestURI: "x".repeat(900) })}\n`.repeat(4000);
    let response;
    for (let sent = 0; sent < 40; sent += 1) {
      response = await ingest(lines);
      if (response.status !== 200) break;
    }
    assert.equal(response.status, 429);
    const grown = (await residentMiB(service.pid)) - before;
    assert.ok(grown < 96, `${Math.round(grown)} MiB more`);
  } finally {
    inbox.close();
    await service.stop();
    await removeDirectory(data);
  }
});
