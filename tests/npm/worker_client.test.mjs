// The client of a worker: its queue with a fake worker, and worker threads in Node.js. worker.test.mjs has Web Workers.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterEach, describe, test } from "node:test";
import { createProject, load, run } from "./support.mjs";
import { slowExpression } from "./slow_expression.mjs";

const folder = createProject();
const zonewright = load(folder);
const { createWorkerClient, version, WorkerClientError } = zonewright;
const { createClient } = createRequire(join(folder, "index.js"))(join(folder, "node_modules/zonewright/core.cjs"));

/** Lets all promises settle that no timer delays. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A client of fake workers, which answer when the test says so, and its restarts. */
function createFake(options = {}) {
  const workers = [];
  const restarts = [];
  const start = (workerUrl, { onMessage, onFailure }) => {
    const worker = {
      calls: [],
      loads: [],
      isTerminated: false,
      postMessage: (message) => (message.load ? worker.loads.push(message.load) : worker.calls.push(message)),
      terminate: () => (worker.isTerminated = true),
      loadPart: (part, error) => onMessage({ version, part, error }),
      answer: (result) => onMessage({ version, result }),
      send: onMessage,
      fail: onFailure,
    };
    workers.push(worker);
    return worker;
  };
  const client = createClient({ onRestart: (reason) => restarts.push(reason), ...options }, start);
  return { client, workers, restarts };
}

/** Names the outcome of a call: its result, or the name of its error. `pending` means that it has none yet. */
async function outcome(call) {
  const pending = settle().then(() => "pending");
  return Promise.race([call, pending]).catch((error) => error.name);
}

const outcomes = (calls) => Promise.all(calls.map(outcome));
const sources = (worker) => worker.calls.map(({ values: [source] }) => source);

describe("the queue", () => {
  test("calls_run_one_after_another", async () => {
    const { client, workers } = createFake();
    assert.equal(workers.length, 0, "the first call starts the worker");
    const calls = ["a", "b"].map((source) => client.check(source));
    workers[0].loadPart("language");
    assert.deepEqual(sources(workers[0]), ["a"]);
    workers[0].answer("first");
    assert.deepEqual(sources(workers[0]), ["a", "b"]);
    assert.deepEqual(await outcomes(calls), ["first", "pending"]);
    workers[0].answer("second");
    assert.equal(await calls[1], "second");
    assert.equal(workers.length, 1);
  });

  test("a_call_does_not_wait_for_the_part_of_another", async () => {
    const { client, workers } = createFake();
    const calls = [client.equivalent("a", "b"), client.logpush.check("c"), client.check("d")];
    const [worker] = workers;
    assert.deepEqual(worker.loads, ["prove", "logpush", "language"]);
    worker.loadPart("language");
    worker.answer("checked");
    worker.loadPart("logpush");
    worker.answer("checked a filter");
    assert.deepEqual(await outcomes(calls), ["pending", "checked a filter", "checked"]);
    worker.loadPart("prove");
    assert.deepEqual(worker.calls.at(-1), { part: "prove", verb: "equivalent", values: ["a", "b"] });
  });

  test("a_failed_load_rejects_the_calls_of_its_part_and_is_retried", async () => {
    const { client, workers } = createFake();
    const calls = [client.equivalent("a", "b"), client.check("c"), client.preload("prove")];
    const [worker] = workers;
    worker.loadPart("prove", "HTTP status 404");
    await assert.rejects(calls[0], { name: "WorkerError", message: "zonewright: the worker cannot load the part `prove`: HTTP status 404" });
    assert.deepEqual(await outcomes(calls), ["WorkerError", "pending", "WorkerError"]);
    const retried = client.equivalent("a", "b");
    worker.loadPart("prove");
    worker.answer("yes");
    assert.equal(await retried, "yes");
    assert.deepEqual(worker.loads, ["prove", "language", "prove"]);
  });

  test("a_newer_call_on_a_channel_supersedes_earlier_ones", async () => {
    const { client, workers } = createFake();
    const [editor, report] = [client.latest("editor"), client.latest("report")];
    const calls = [editor.check("a"), report.check("b"), client.check("c"), editor.check("d")];
    const [worker] = workers;
    worker.loadPart("language");
    assert.deepEqual(sources(worker), ["b"], "the superseded call is not sent");
    worker.answer("b");
    worker.answer("c");
    assert.deepEqual(sources(worker), ["b", "c", "d"]);
    // The worker runs `d` now. It finishes, but its answer is dropped.
    calls.push(editor.format("e"));
    assert.deepEqual(await outcomes(calls), ["SupersededError", "b", "c", "SupersededError", "pending"]);
    worker.answer("d");
    assert.deepEqual(sources(worker), ["b", "c", "d", "e"]);
    worker.answer("e");
    assert.deepEqual(await outcomes(calls), ["SupersededError", "b", "c", "SupersededError", "e"]);
    const error = await calls[0].catch((error) => error);
    assert.ok(error instanceof WorkerClientError && error instanceof Error);
    assert.match(error.message, /^zonewright: a newer call on the channel `editor` supersedes/);
  });

  test("a_call_over_the_limit_is_rejected_and_the_worker_replaced", async () => {
    const { client, workers, restarts } = createFake({ timeoutMs: 20 });
    const calls = [client.check("slow"), client.check("a"), client.equivalent("b", "c")];
    workers[0].loadPart("language");
    await assert.rejects(calls[0], { name: "TimeoutError", message: /`check` exceeded the limit of 20 ms; .*`timeoutMs`/ });
    assert.equal(workers[0].isTerminated, true);
    assert.deepEqual(restarts.map(({ name }) => name), ["TimeoutError"]);
    workers[0].answer("too late");
    workers[0].fail("too late");
    assert.equal(workers.length, 2);
    assert.deepEqual(workers[1].loads.sort(), ["language", "prove"]);
    workers[1].loadPart("language");
    workers[1].answer("a");
    workers[1].loadPart("prove");
    workers[1].answer("b");
    assert.deepEqual(await outcomes(calls.slice(1)), ["a", "b"]);
  });

  test("a_load_has_no_time_limit", async () => {
    const { client, workers } = createFake({ timeoutMs: 20 });
    const call = client.check("a");
    await sleep(100);
    workers[0].loadPart("language");
    workers[0].answer("a");
    assert.equal(await call, "a");
  });

  test("an_infinite_limit_is_no_limit", async () => {
    const { client, workers } = createFake({ timeoutMs: Infinity });
    const call = client.check("a");
    workers[0].loadPart("language");
    await sleep(50);
    assert.equal(await outcome(call), "pending");
    workers[0].answer("a");
    for (const timeoutMs of [0, -1, NaN, "soon"]) assert.throws(() => createFake({ timeoutMs }), /`timeoutMs` must be a positive number/);
  });

  test("a_crash_during_a_call_rejects_only_that_call", async () => {
    const { client, workers, restarts } = createFake();
    const calls = [client.check("a"), client.check("b")];
    workers[0].loadPart("language");
    workers[0].fail("out of memory.");
    await assert.rejects(calls[0], { name: "WorkerError", message: /crashed during `check`: out of memory; without a worker, call / });
    assert.equal(restarts.length, 1);
    workers[1].loadPart("language");
    workers[1].answer("b");
    assert.equal(await calls[1], "b");
  });

  test("a_crash_between_calls_rejects_all_calls", async () => {
    const { client, workers, restarts } = createFake();
    const first = client.check("a");
    workers[0].loadPart("language");
    workers[0].answer("a");
    await first;
    const calls = [client.equivalent("a", "b"), client.preload("migration")];
    workers[0].fail("out of memory");
    assert.deepEqual(await outcomes(calls), ["WorkerError", "WorkerError"]);
    assert.match(restarts[0].message, /the worker crashed: out of memory/);
    assert.equal(workers.length, 1);
    client.check("b");
    assert.equal(workers.length, 2);
  });

  test("a_worker_that_cannot_start_rejects_all_calls", async () => {
    const { client, workers, restarts } = createFake();
    const calls = [client.check("a"), client.check("b")];
    workers[0].fail(undefined);
    const message = /cannot start: its script cannot be loaded; check that worker.js .*`workerUrl`; without a worker, call the functions of the package directly$/;
    await assert.rejects(calls[0], { name: "WorkerError", message });
    assert.deepEqual(await outcomes(calls), ["WorkerError", "WorkerError"]);
    assert.deepEqual(restarts, []);
    const denied = createClient({}, () => {
      throw new Error("denied");
    });
    await assert.rejects(denied.check("a"), { name: "WorkerError", message: /cannot start: denied; / });
  });

  test("a_worker_of_another_version_is_rejected", async () => {
    const { client, workers } = createFake();
    const call = client.check("a");
    workers[0].send({ version: "0.0.1", part: "language" });
    await assert.rejects(call, { name: "WorkerError", message: /worker.js has version 0.0.1, and the page has [\d.]+; deploy both/ });
    assert.equal(workers[0].isTerminated, true);
  });

  test("arguments_are_copied_at_the_call", async () => {
    const { client, workers } = createFake();
    const options = { plan: "pro" };
    const call = client.check("a", options);
    options.plan = "free";
    workers[0].loadPart("language");
    workers[0].answer("a");
    assert.equal(await call, "a");
    assert.deepEqual(workers[0].calls[0].values, ["a", { plan: "pro" }]);
    const message = /pass plain data to `explain`; an argument cannot be copied/;
    await assert.rejects(client.explain("a", { lists: () => {} }), { name: "WorkerError", message });
  });

  test("close_rejects_all_calls", async () => {
    const { client, workers } = createFake();
    const calls = [client.check("a"), client.check("b"), client.preload("prove")];
    workers[0].loadPart("language");
    client.close();
    client.close();
    calls.push(client.check("c"), client.latest("editor").check("d"), client.preload());
    workers[0].answer("too late");
    workers[0].fail("too late");
    assert.deepEqual(await outcomes(calls), calls.map(() => "ClosedError"));
    assert.deepEqual(workers.map(({ isTerminated }) => isTerminated), [true]);
  });
});

describe("worker threads", () => {
  const clients = [];
  const createThread = (options) => {
    clients.push(createWorkerClient(options));
    return clients.at(-1);
  };
  afterEach(() => clients.splice(0).forEach((client) => client.close()));

  test("the_client_has_the_verbs_of_the_package", () => {
    const client = createThread();
    const isVerb = (name) => !["createWorkerClient", "init", "load", "version", "WorkerClientError"].includes(name);
    const names = (verbs) => Object.keys(verbs).filter(isVerb).sort();
    assert.deepEqual(names(client.latest("a")), names(zonewright));
    for (const part of ["logpush", "migration"]) assert.deepEqual(names(client[part]), names(zonewright[part]));
    assert.deepEqual(names(client), [...names(zonewright), "close", "latest", "preload"].sort());
  });

  test("results_equal_those_of_direct_calls", async () => {
    const client = createThread();
    await client.preload("evaluate");
    const record = { fields: { "ip.src.asnum": 2n ** 60n } };
    assert.deepEqual(await client.check("http.hots eq 'a'"), zonewright.check("http.hots eq 'a'"));
    assert.deepEqual(await client.check(5), zonewright.check(5));
    assert.deepEqual(await client.evaluate("ip.src.asnum", record, { kind: "value" }), zonewright.evaluate("ip.src.asnum", record, { kind: "value" }));
    assert.deepEqual(await client.neverFires(["ssl", "ssl"]), zonewright.neverFires(["ssl", "ssl"]));
    assert.deepEqual(await client.logpush.datasets(), zonewright.logpush.datasets());
    assert.deepEqual(await client.migration.plan({ plan: "pro" }), zonewright.migration.plan({ plan: "pro" }));
  });

  test("a_slow_call_exceeds_the_limit_and_the_next_ones_work", async () => {
    const restarts = [];
    const client = createThread({ timeoutMs: 400, onRestart: ({ name }) => restarts.push(name) });
    await client.preload("prove");
    const calls = [client.equivalent(...slowExpression()), client.check("ssl")];
    await assert.rejects(calls[0], { name: "TimeoutError" });
    assert.equal((await calls[1]).ok, true);
    assert.deepEqual(restarts, ["TimeoutError"]);
  });

  test("an_answer_during_a_busy_time_of_the_caller_is_in_time", async () => {
    const client = createThread({ timeoutMs: 150 });
    await client.check("ssl");
    const call = client.check("ssl");
    const end = Date.now() + 500;
    while (Date.now() < end);
    assert.equal((await call).ok, true);
  });

  test("a_thread_that_ends_crashes_the_call", async () => {
    const file = join(folder, "ending.cjs");
    writeFileSync(
      file,
      `const { parentPort } = require("node:worker_threads");
       parentPort.addEventListener("message", (event) => {
         const [source] = event.data.values ?? [];
         if (source === "end") process.exit(3);
         if (source !== "throw") return;
         event.stopImmediatePropagation();
         throw new Error("boom");
       });
       require("./node_modules/zonewright/node_worker.cjs");`,
    );
    const client = createThread({ workerUrl: file });
    const calls = ["end", "throw", "ssl"].map((source) => client.check(source));
    await assert.rejects(calls[0], { name: "WorkerError", message: /crashed during `check`: its thread ended with code 3;/ });
    await assert.rejects(calls[1], { name: "WorkerError", message: /crashed during `check`: boom;/ });
    assert.equal((await calls[2]).ok, true);
    const missing = createThread({ workerUrl: join(folder, "nowhere.cjs") });
    await assert.rejects(missing.check("ssl"), { name: "WorkerError", message: /cannot start: Cannot find module/ });
  });

  test("an_idle_client_does_not_keep_the_process_alive_but_a_call_does", async () => {
    const text = `
      import { createWorkerClient } from "zonewright";
      const client = createWorkerClient();
      client.check("ssl").then(({ ok }) => console.log(ok));`;
    assert.equal(await run(folder, "idle.mjs", text), true);
  });
});
