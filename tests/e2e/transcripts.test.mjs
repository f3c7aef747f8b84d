// Runs the transcripts of README.md and docs/: the commands of a page run in order, in one shell, against a fresh service,
// and must print what the page shows. A `toml` block that starts with the comment `# NAME` becomes the file NAME first, and
// so does a `json` block after a line that ends with "the file `NAME`:".
// UPDATE=1 writes the output into the pages.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { codeBlocks, docPages, findBlock, root } from "../docs.mjs";
import { binary, createDataDirectory, removeDirectory, startService, startServing } from "./support/service.mjs";

/** The line that ends the output of each command. */
const OUTPUT_END = "--- end of output ---";

/** Reads the commands of the transcripts of a page, each with the output that the page shows. */
function readTranscripts(text) {
  return codeBlocks(text, "sh").filter((block) => block.startsWith("$ ")).flatMap((block) =>
    block.split(/^\$ /m).slice(1).map((entry) => {
      const lines = entry.trimEnd().split("\n");
      // A command continues after a line that ends in a backslash.
      const end = lines.findIndex((line) => !line.endsWith("\\")) + 1;
      return { command: lines.slice(0, end).join("\n"), output: lines.slice(end).join("\n") };
    }),
  );
}

/** Starts a service in a new directory, calls `use` with both, and removes both. */
async function withService(use) {
  const directory = await createDataDirectory();
  let service;
  try {
    const pushed = join(directory, "pushed");
    await mkdir(pushed);
    // `zonewright admin` looks for this data directory.
    service = await startService(join(directory, "zonewright-data"), undefined, ["--logpush-files", pushed]);
    await use(service, directory);
  } finally {
    await service?.stop();
    await removeDirectory(directory);
  }
}

/** Runs commands in one shell; returns the output of each, standard error included. */
async function runCommands(commands, service, directory) {
  const { credentials } = service;
  const script = ["exec 2>&1", ...commands.map((command) => `${command}\nprintf '\\n%s\\n' '${OUTPUT_END}'`)].join("\n");
  const shell = spawn("bash", ["-uc", script], {
    cwd: directory,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      ...service.environment,
      PATH: `${dirname(binary)}:${process.env.PATH}`,
      BASE: credentials.base_url,
      TOKEN: credentials.token,
      ZONE_ID: credentials.zone_id,
    },
  });
  let output = "";
  shell.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  await new Promise((resolve) => shell.once("close", resolve));
  return output.split(`\n${OUTPUT_END}\n`).slice(0, -1);
}

/** Replaces values that differ between runs. */
function normalize(output) {
  return output
    .trimEnd()
    .replaceAll(/\b[0-9a-f]{32}\b/g, "[id]")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "[time]")
    .replaceAll(/(?<![\w-])[\w-]{40}(?![\w-])/g, "[token]");
}

/** Writes changed outputs into a page. */
async function updatePage({ path, text }, entries, outputs) {
  let updated = text;
  for (const [index, entry] of entries.entries()) {
    if (normalize(outputs[index]) === normalize(entry.output)) continue;
    const output = outputs[index].trimEnd();
    const render = (output) => `$ ${entry.command}\n${output && `${output}\n`}`;
    updated = updated.replace(render(entry.output), () => render(output));
    entry.output = output;
  }
  await writeFile(join(root, path), updated);
}

const pages = docPages().map((page) => ({ ...page, entries: readTranscripts(page.text) })).filter(({ entries }) => entries.length > 0);

test("pages_have_transcripts", () => {
  const paths = pages.map(({ path }) => path);
  for (const path of ["README.md", "docs/cli.md", "docs/service.md"]) assert.ok(paths.includes(path), path);
});

for (const { entries, ...page } of pages) {
  test(`commands_print_what_${page.path}_shows`, { timeout: 120_000 }, () =>
    withService(async (service, directory) => {
      for (const block of codeBlocks(page.text, "toml")) {
        const [, name] = /^# (\S+)\n/.exec(block) ?? [];
        if (name) await writeFile(join(directory, name), block);
      }
      for (const [, name, text] of page.text.matchAll(/the file `(\S+)`:\n\n```json\n(.*?)```/gs)) {
        await writeFile(join(directory, name), text);
      }
      const outputs = await runCommands(entries.map(({ command }) => command), service, directory);
      assert.equal(outputs.length, entries.length);
      if (process.env.UPDATE) await updatePage(page, entries, outputs);
      for (const [index, { command, output }] of entries.entries()) {
        assert.equal(normalize(outputs[index]), normalize(output), command);
      }
    }),
  );
}

test("relay_commands_log_in_and_out", { timeout: 120_000 }, () =>
  withService(async (service, directory) => {
    const [, requests] = /^(?:zonewright .*\\\n.*\n)(CSRF=[^]*)/.exec(findBlock("sh", "CSRF="));
    const passphrase = "correct horse battery staple";
    const options = ["--listen", "127.0.0.1:0", "--relay-upstream", `${service.url}/client/v4`];
    for (const [name, value] of Object.entries({ credentials: service.credentials.token, passphrase })) {
      await writeFile(join(directory, name), value, { mode: 0o600 });
      options.push(`--relay-${name}-file`, join(directory, name));
    }
    const relay = await startServing(options);
    try {
      const commands = requests.replaceAll("http://127.0.0.1:8787", relay.url).replace("…", passphrase).trim().split(/(?<!\\)\n/);
      assert.equal(commands.length, 3);
      const listZones = commands[1];
      const [login, zones, logout, afterLogout] = await runCommands([...commands, listZones], service, directory);
      assert.equal(login, "");
      assert.equal(JSON.parse(zones).result.length, service.credentials.zones.length);
      assert.equal(JSON.parse(logout).success, true);
      assert.equal(JSON.parse(afterLogout).success, false);
    } finally {
      await relay.stop();
    }
  }),
);
