#!/usr/bin/env node
// The command `zonewright` of the package: what the native one does with migrations, by the same engine.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { migration, version } from "./node.js";

const HELP = `Plan the migration of a zone to ruleset-based managed rules.

Usage: zonewright migrate plan FILE [--plan PLAN] [--format text|json]
       zonewright migrate check FILE [--plan PLAN] [--phase-one] [--format text|json]
       zonewright migrate report FILE [--plan PLAN] [--format markdown|html|json]

FILE has the configuration of the zone, as \`-\` standard input: one JSON object whose members hold what the service
answers: zone, settings (of waf), packages, groups, rules, overrides, firewall_rules, page_rules and entry_point; plan is
the name of the zone's plan (free, pro, business, enterprise), which --plan can say as well.

--format json writes {"compatible", "ruleset", "findings"}.

Exit code: 0 when the zone can migrate, or the report was written; 1 when it cannot, needs the provider's support or its
configuration has a mistake; 2 when the command was called wrongly or the file could not be read.
`;
const VALID = 0;
const PROBLEMS = 1;
const USAGE = 2;

const FORMATS = { plan: ["text", "json"], check: ["text", "json"], report: ["markdown", "html", "json"] };
const PLANS = ["free", "pro", "business", "enterprise"];
const TITLES = [
  ["blocked", "In the way"],
  ["needs-support", "Needs support"],
  ["lost", "Lost"],
  ["changed", "Changed"],
  ["carried", "Carried over"],
  ["unaffected", "Goes on as it is"],
];

/** A call that makes no sense. */
class WrongCall extends Error {}

const pretty = (value) => `${JSON.stringify(value, null, 2)}\n`;

function read(words) {
  const options = { plan: { type: "string" }, format: { type: "string" }, "phase-one": { type: "boolean" } };
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
  const [command, verb, file, ...more] = positionals;
  if (command !== "migrate") throw new WrongCall(`there is no command \`${command ?? ""}\` here: \`migrate\` is one`);
  const formats = FORMATS[verb];
  if (!formats) throw new WrongCall(`\`migrate\` has no \`${verb ?? ""}\`: it has plan, check and report`);
  if (file === undefined || more.length > 0) throw new WrongCall("one file is expected, or `-` for standard input");
  const format = values.format ?? formats[0];
  if (!formats.includes(format)) throw new WrongCall(`\`--format\` must be one of ${formats.join(", ")}`);
  if (values.plan !== undefined && !PLANS.includes(values.plan)) {
    throw new WrongCall(`\`--plan\` must be one of ${PLANS.join(", ")}`);
  }
  if (values["phase-one"] && verb !== "check") throw new WrongCall("`--phase-one` is for `migrate check`");
  return { verb, file, format, plan: values.plan, phaseOne: values["phase-one"] };
}

/** Findings for people, those that need something done first. */
function told(findings) {
  let text = "";
  for (const [fate, title] of TITLES) {
    const found = findings.filter((one) => one.fate === fate);
    if (found.length === 0) continue;
    text += `${title}: ${found.length} setting${found.length === 1 ? "" : "s"}\n`;
    // What is as it was delivered is only counted.
    for (const one of found.filter(({ code }) => !code.endsWith("-delivered"))) {
      const became = one.became?.length ? ` -> ${one.became.join(", ")}` : "";
      text += `  ${one.name}: ${one.message}\n    ${one.setting}${became}\n`;
      if (one.help) text += `    ${one.help}\n`;
      if (one.draft) {
        const body = one.draft.body === undefined ? "" : ` ${JSON.stringify(one.draft.body)}`;
        text += `    ${one.draft.method} ${one.draft.path}${body}\n`;
      }
    }
    text += "\n";
  }
  return text;
}

const verbs = {
  plan({ ruleset, findings, compatible }, { format }) {
    const code = compatible && !findings.some(({ fate }) => fate === "needs-support") ? VALID : PROBLEMS;
    const text = format === "json" ? "" : `${told(findings)}New configuration:\n${pretty(ruleset)}`;
    return { findings, compatible, text, code };
  },
  check(_, { config, options, phaseOne }) {
    const { findings, compatible } = migration.check(config, { ...options, phaseOne });
    const code = findings.length === 0 ? VALID : PROBLEMS;
    let text = "The zone can migrate.\n";
    if (code === PROBLEMS && compatible) text = `The zone can migrate with the help of support.\n\n${told(findings)}`;
    if (!compatible) text = `The zone cannot migrate yet.\n\n${told(findings)}`;
    return { findings, compatible, text, code };
  },
  report({ findings, compatible }, { config, options, format }) {
    const text = format === "json" ? "" : migration.report(config, { ...options, format }).text;
    return { findings, compatible, text, code: VALID };
  },
};

/** What is wrong with the configuration itself. */
function mistakes({ refusals, diagnostics }) {
  const noJson = ({ message }) => ({ pointer: "", message: message.replace(/^the configuration is/, "it is") });
  return [...refusals.map(({ pointer, message }) => ({ pointer, message })), ...diagnostics.map(noJson)];
}

function run(words) {
  if (words.length === 0 || words.includes("--help") || words.includes("-h")) {
    return { out: HELP, code: words.length === 0 ? USAGE : VALID };
  }
  if (words.includes("--version") || words.includes("-V")) return { out: `zonewright ${version}\n`, code: VALID };
  const call = read(words);
  const config = readFileSync(call.file === "-" ? 0 : call.file, "utf8");
  const options = { plan: call.plan };
  const planned = migration.plan(config, options);
  const errors = mistakes(planned);
  if (errors.length > 0) {
    if (call.format === "json") return { out: pretty({ errors }), code: PROBLEMS };
    const line = ({ pointer, message }) => `zonewright: ${call.file}: ${pointer}${pointer ? ": " : ""}${message}\n`;
    return { err: errors.map(line).join(""), code: PROBLEMS };
  }
  const { compatible, findings, text, code } = verbs[call.verb](planned, { ...call, config, options });
  return { out: call.format === "json" ? pretty({ compatible, ruleset: planned.ruleset, findings }) : text, code };
}

// A reader that went away (`zonewright … | head -1`) wanted no more: that is no failure.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
});
try {
  const { out = "", err = "", code } = run(process.argv.slice(2));
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = code;
} catch (error) {
  const isCall = error instanceof WrongCall || String(error.code).startsWith("ERR_PARSE_ARGS");
  if (!isCall && error.syscall === undefined) throw error;
  process.stderr.write(`zonewright: ${error.message}\n${isCall ? "See `zonewright --help`.\n" : ""}`);
  process.exitCode = USAGE;
}
