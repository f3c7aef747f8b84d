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

--format json writes {"compatible", "ruleset", "findings", "warnings"}. Warnings name the managed rules and categories of
the present entry point that the catalogue of this version does not list; they do not change the exit code.

Exit code: 0 when the zone can migrate, or the report was written; 1 when it cannot or needs the provider's support; 2
when the command was called wrongly, the file could not be read or the configuration has a mistake.
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

/** A file that holds no text. */
class Unreadable extends Error {}

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

/** The text in a file, or of standard input. */
function readText(file) {
  const bytes = readFileSync(file === "-" ? 0 : file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Unreadable(`${file}: it is not UTF-8 text`);
  }
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

/** Warnings for people. */
function unchecked(warnings) {
  if (warnings.length === 0) return "";
  const items = warnings.map(({ pointer, message }) => `  ${message}\n    ${pointer}\n`);
  return `Warnings: ${warnings.length}\n${items.join("")}\n`;
}

const verbs = {
  plan({ ruleset, findings, warnings, compatible }, { format }) {
    const code = compatible && !findings.some(({ fate }) => fate === "needs-support") ? VALID : PROBLEMS;
    const text = format === "json" ? "" : `${told(findings)}${unchecked(warnings)}New configuration:\n${pretty(ruleset)}`;
    return { findings, compatible, text, code };
  },
  check(_, { config, options, phaseOne }) {
    const { findings, warnings, compatible } = migration.check(config, { ...options, phaseOne });
    const code = findings.length === 0 ? VALID : PROBLEMS;
    let verdict = "The zone can migrate.";
    if (code === PROBLEMS) verdict = "The zone can migrate with the help of support.";
    if (!compatible) verdict = "The zone cannot migrate yet.";
    const sections = told(findings) + unchecked(warnings);
    return { findings, compatible, text: `${verdict}\n${sections && "\n"}${sections}`, code };
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
  const config = readText(call.file);
  const options = { plan: call.plan };
  const planned = migration.plan(config, options);
  const errors = mistakes(planned);
  if (errors.length > 0) {
    if (call.format === "json") return { out: pretty({ errors }), code: USAGE };
    const line = ({ pointer, message }) => `zonewright: ${call.file}: ${pointer}${pointer ? ": " : ""}${message}\n`;
    return { err: errors.map(line).join(""), code: USAGE };
  }
  const { compatible, findings, text, code } = verbs[call.verb](planned, { ...call, config, options });
  const { ruleset, warnings } = planned;
  return { out: call.format === "json" ? pretty({ compatible, ruleset, findings, warnings }) : text, code };
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
  if (!isCall && !(error instanceof Unreadable) && error.syscall === undefined) throw error;
  process.stderr.write(`zonewright: ${error.message}\n${isCall ? "See `zonewright --help`.\n" : ""}`);
  process.exitCode = USAGE;
}
