// The README's transcripts of the service: its commands run as they stand there, one after the other in one shell
// against a fresh service, and print what stands below them. And its calls of the relay.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { binary, dataFolder, removeFolder, startService, startServing } from "./support/service.mjs";

const readme = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "README.md");
const heading = "## Talking to the service";
/** Between two answers, on a line of its own. */
const mark = "--- end of answer ---";
let folder, service;

before(async () => {
  folder = await dataFolder();
  // Where `zonewright admin` looks for it.
  const pushed = join(folder, "pushed");
  await mkdir(pushed);
  service = await startService(join(folder, "zonewright-data"), undefined, ["--logpush-files", pushed]);
});
after(async () => {
  await service?.stop();
  if (folder) await removeFolder(folder);
});

/** The commands of the section's transcripts, each with what it prints. */
async function transcripts() {
  const text = await readFile(readme, "utf8");
  const start = text.indexOf(heading);
  assert.ok(start >= 0, heading);
  const section = text.slice(start, text.indexOf("\n## ", start + 1));
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).filter((block) => block.startsWith("$ "));
  return blocks.flatMap((block) =>
    block.split(/^\$ /m).slice(1).map((entry) => {
      const lines = entry.trimEnd().split("\n");
      // A command goes on over lines that end in a backslash.
      const end = lines.findIndex((line) => !line.endsWith("\\")) + 1;
      return { command: lines.slice(0, end).join("\n"), printed: lines.slice(end).join("\n") };
    }),
  );
}

/** Runs commands in one shell, which must not complain; gives what each printed. */
async function run(commands) {
  const { credentials } = service;
  const script = commands.map((command) => `${command}\nprintf '\\n%s\\n' '${mark}'`).join("\n");
  const shell = spawn("bash", ["-u"], {
    cwd: folder,
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      ...service.environment,
      PATH: `${dirname(binary)}:${process.env.PATH}`,
      BASE: credentials.base_url,
      TOKEN: credentials.token,
      ZONE_ID: credentials.zone_id,
    },
  });
  let [printed, complaints] = ["", ""];
  shell.stdout.setEncoding("utf8").on("data", (text) => (printed += text));
  shell.stderr.setEncoding("utf8").on("data", (text) => (complaints += text));
  shell.stdin.end(script);
  await new Promise((resolve) => shell.once("close", resolve));
  assert.equal(complaints, "");
  return printed.split(`\n${mark}\n`).slice(0, -1);
}

/** What differs from run to run looks alike. */
function alike(text) {
  return text
    .trimEnd()
    .replaceAll(/\b[0-9a-f]{32}\b/g, "[id]")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "[time]")
    .replaceAll(/\b[\w-]{40}\b/g, "[token]");
}

/** Writes what was printed into the README: with UPDATE=1, when it changed on purpose. */
async function update(entries, answers) {
  let text = await readFile(readme, "utf8");
  for (const [index, entry] of entries.entries()) {
    const printed = answers[index].trimEnd();
    const join = (printed) => `$ ${entry.command}\n${printed && `${printed}\n`}`;
    text = text.replace(join(entry.printed), () => join(printed));
    entry.printed = printed;
  }
  await writeFile(readme, text);
}

test("the commands print what stands below them", { timeout: 120_000 }, async () => {
  const entries = await transcripts();
  assert.ok(entries.length >= 8, `${entries.length} commands`);
  const answers = await run(entries.map(({ command }) => command));
  assert.equal(answers.length, entries.length);
  if (process.env.UPDATE) await update(entries, answers);
  for (const [index, { command, printed }] of entries.entries()) {
    assert.equal(alike(answers[index]), alike(printed), command);
  }
});

test("the calls of the relay work", { timeout: 120_000 }, async () => {
  const text = await readFile(readme, "utf8");
  const [, calls] = /\\\n {2}--relay-credentials-file .*\n(CSRF=[^]*?)```/.exec(text);
  const passphrase = "correct horse battery staple";
  const options = ["--listen", "127.0.0.1:0", "--relay-upstream", `${service.url}/client/v4`];
  for (const [name, value] of Object.entries({ credentials: service.credentials.token, passphrase })) {
    await writeFile(join(folder, name), value, { mode: 0o600 });
    options.push(`--relay-${name}-file`, join(folder, name));
  }
  const relay = await startServing(options);
  try {
    const commands = calls.replaceAll("http://127.0.0.1:8787", relay.url).replace("…", passphrase).trim().split(/(?<!\\)\n/);
    assert.equal(commands.length, 3);
    const again = commands[1];
    const [, zones, ended, after] = await run([...commands, again]);
    assert.equal(JSON.parse(zones).result.length, service.credentials.zones.length);
    assert.equal(JSON.parse(ended).success, true);
    assert.equal(JSON.parse(after).success, false);
  } finally {
    await relay.stop();
  }
});
