// Kills the service repeatedly during updates of entry points. After each restart every zone is in exactly one valid
// state: acknowledged updates are persisted, and no update is applied partially.
//
// If `ZONEWRIGHT_SOAK` is set, the test runs fifty rounds instead of six.
import assert from "node:assert/strict";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createDataDirectory, removeDirectory, startService } from "./support/service.mjs";

const ROUNDS = process.env.ZONEWRIGHT_SOAK ? 50 : 6;
const ENTRY_POINT = "rulesets/phases/http_request_firewall_managed/entrypoint";
// The steps that are requested concurrently in each zone.
const STEPS = { "enterprise.example": ["validation", "pending"], "business.example": ["pending"], "pro.example": ["1", "1"] };

function api(service, zone) {
  const { base_url, token, zones } = service.credentials;
  const { id } = zones.find(({ name }) => name === zone);
  const call = async (path, options) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${base_url}/zones/${id}/${path}`, { ...options, headers });
    return { status: response.status, ...(await response.json()) };
  };
  return {
    get: (path) => call(path),
    put: (step, body) => call(`${ENTRY_POINT}?waf_migration=${step}&phase_two=1`, { method: "PUT", body: JSON.stringify(body) }),
  };
}

/** Requests all steps concurrently; responses before the kill are added to `responses`. */
function sendUpdates(service, configs, responses) {
  const requests = Object.entries(STEPS).flatMap(([zone, steps]) =>
    steps.map(async (step, index) => {
      const body = { ...configs[zone], name: `${zone} ${step} ${index}` };
      const response = await api(service, zone).put(step, body).catch(() => null);
      if (response) responses.push({ zone, step, name: body.name, status: response.status });
    }),
  );
  return Promise.all(requests);
}

/** Checks that the responses of a zone are consistent with each other and with the acknowledged updates. */
async function inspect(service, zone, config, responses) {
  const { get } = api(service, zone);
  const readStatus = async () => {
    const paths = ["waf_migration/status", "waf_migration/check?phase_two=1", ENTRY_POINT, "firewall/waf/packages"];
    const results = await Promise.all(paths.map(get));
    // A pending migration may complete in between.
    const { result } = await get("waf_migration/status");
    return result.migration_state === results[0].result.migration_state ? results : readStatus();
  };
  const [{ result: status }, check, entryPoint, packages] = await readStatus();
  const state = status.migration_state;
  assert.equal(check.result.migration_state, state);
  const acknowledged = responses.filter((response) => response.zone === zone && response.status === 200);
  if (state === "start") {
    assert.equal(entryPoint.status, 404, `${zone}: rules without a migration`);
    assert.deepEqual([status.old_waf_status, status.new_waf_status, status.created], ["enabled", "disabled", ""]);
    assert.equal(acknowledged.length, 0, `${zone}: an acknowledged update is lost`);
  } else {
    assert.equal(entryPoint.status, 200, `${zone}: ${state} without rules`);
    const { name, rules, version } = entryPoint.result;
    assert.equal(rules.length, config.rules.length);
    rules.forEach((rule, index) => assert.equal(rule.expression, config.rules[index].expression));
    const names = STEPS[zone].map((step, index) => `${zone} ${step} ${index}`);
    assert.ok(names.includes(name), name);
    assert.ok(Number(version) >= acknowledged.length, `${zone}: an acknowledged update is lost`);
    if (acknowledged.some(({ step }) => step !== "validation")) assert.notEqual(state, "validation");
    assert.deepEqual(
      [status.old_waf_status, status.new_waf_status],
      [state === "complete" ? "disabled" : "enabled", "enabled"],
    );
  }
  assert.equal(packages.status, state === "complete" ? 410 : 200);
  return state;
}

test("a kill during updates leaves every zone in a valid state", { timeout: 600_000 }, async (context) => {
  const folder = await createDataDirectory();
  const fresh = join(folder, "fresh");
  const data = join(folder, "data");
  const stateCounts = {};
  try {
    const first = await startService(fresh);
    const configs = {};
    for (const zone of Object.keys(STEPS)) {
      configs[zone] = (await api(first, zone).get("waf_migration/config?phase_two=1")).result;
    }
    const start = performance.now();
    await api(first, "support.example").put("pending", { rules: [] });
    const maxDelayMs = Math.max(20, 4 * (performance.now() - start));
    await first.stop();
    for (let round = 0; round < ROUNDS; round += 1) {
      await rm(data, { recursive: true, force: true });
      await cp(fresh, data, { recursive: true });
      // The delays range from before the first commit to after the completion.
      const delayMs = (maxDelayMs * (round % 10)) / 4;
      const migrationDelay = String(round % 3 === 0 ? 0 : 1);
      let service = await startService(data, undefined, ["--migration-delay", migrationDelay]);
      const responses = [];
      const pendingUpdates = sendUpdates(service, configs, responses);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await service.crash();
      await pendingUpdates;
      service = await startService(data, undefined, ["--migration-delay", "3600"]);
      try {
        for (const zone of Object.keys(STEPS)) {
          const state = await inspect(service, zone, configs[zone], responses);
          stateCounts[state] = (stateCounts[state] ?? 0) + 1;
        }
      } finally {
        await service.stop();
      }
    }
    context.diagnostic(`${ROUNDS} kills: ${JSON.stringify(stateCounts)}`);
  } finally {
    await removeDirectory(folder);
  }
});
