#!/usr/bin/env node
// The command `zonewright` of the package: `zonewright migrate` as in the native binary, with the same output.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { migration, version } from "./node.js";

const HELP = `Plan the migration of a zone to ruleset-based managed rules.

Usage: zonewright migrate plan FILE [--plan PLAN] [--format text|json]
       zonewright migrate check FILE [--plan PLAN] [--phase-one] [--format text|json]
       zonewright migrate report FILE [--plan PLAN] [--format markdown|html|json]

FILE contains the configuration of the zone; use \`-\` for standard input. It is one JSON object whose members are
responses of the service: zone, settings (of waf), packages, groups, rules, overrides, firewall_rules, page_rules, and
entry_point. The member plan is the name of the zone's plan (free, pro, business, enterprise); --plan overrides it.

--format json writes {"compatible", "ruleset", "findings", "warnings"}. Warnings name the managed rules and categories
of the current entry point that the catalog of this version does not list. They do not change the exit code.

Exit code: 0 if the zone can migrate, or the report was written; 1 if it cannot migrate or needs the provider's support;
2 on a usage error, or if the file cannot be read or the configuration has errors.
`;
const EXIT_OK = 0;
const EXIT_PROBLEMS = 1;
const EXIT_USAGE = 2;

const FORMATS = { plan: ["text", "json"], check: ["text", "json"], report: ["markdown", "html", "json"] };
const PLANS = ["free", "pro", "business", "enterprise"];
const SECTION_TITLES = [
  ["blocked", "Blocks the migration"],
  ["needs-support", "Needs support"],
  ["lost", "Lost"],
  ["changed", "Changed"],
  ["carried", "Carried over"],
  ["unaffected", "Unaffected"],
];

/** An error in the command line. */
class UsageError extends Error {}

/** An error in the input file. */
class InputError extends Error {}

const prettyJson = (value) => `${JSON.stringify(value, null, 2)}\n`;

function parseCommandLine(args) {
  const options = { plan: { type: "string" }, format: { type: "string" }, "phase-one": { type: "boolean" } };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [command, subcommand, file, ...extraFiles] = positionals;
  if (command !== "migrate") throw new UsageError(`unknown command \`${command ?? ""}\`; expected \`migrate\``);
  const formats = FORMATS[subcommand];
  if (!formats) {
    throw new UsageError(`unknown subcommand \`migrate ${subcommand ?? ""}\`; expected plan, check, or report`);
  }
  if (file === undefined || extraFiles.length > 0) throw new UsageError("expected one file, or `-` for standard input");
  const format = values.format ?? formats[0];
  if (!formats.includes(format)) throw new UsageError(`\`--format\` must be one of ${formats.join(", ")}`);
  if (values.plan !== undefined && !PLANS.includes(values.plan)) {
    throw new UsageError(`\`--plan\` must be one of ${PLANS.join(", ")}`);
  }
  if (values["phase-one"] && subcommand !== "check") {
    throw new UsageError("`--phase-one` is only supported by `migrate check`");
  }
  return { subcommand, file, format, plan: values.plan, phaseOne: values["phase-one"] };
}

const displayName = (file) => (file === "-" ? "<stdin>" : file);

/** Reads a file or standard input, without a byte order mark. The errors are those of the native binary. */
function readText(file) {
  const fail = (message) => {
    throw new InputError(`${displayName(file)}: ${message}`);
  };
  let bytes;
  try {
    bytes = readFileSync(file === "-" ? 0 : file);
  } catch (error) {
    if (error.code === "ENOENT") fail("no such file; name a file with the configuration of the zone");
    fail(`cannot read the input: ${error.message}`);
  }
  if (bytes.subarray(0, 3).equals(Buffer.from("\ufeff"))) bytes = bytes.subarray(3);
  const offset = invalidByteOffset(bytes);
  if (offset >= 0) fail(`the input is not valid UTF-8: invalid byte at offset ${offset}`);
  return bytes.toString("utf8");
}

/** Returns the offset of the first byte that is not valid UTF-8, or -1. */
function invalidByteOffset(bytes) {
  const encoded = Buffer.from(bytes.toString("utf8"));
  let offset = encoded.findIndex((byte, index) => byte !== bytes[index]);
  // The replacement character may begin with the same bytes as the invalid sequence.
  while ((encoded[offset] & 0xc0) === 0x80) offset -= 1;
  return offset;
}

/** Returns whether a finding is about a section that was not provided. `formatMissingSections` names these sections. */
const isMissingSection = ({ outcome, code }) => outcome === "lost" && code === "not-provided";

/** Formats findings as text, grouped by outcome. Groups that need an action come first. */
function formatFindings(findings) {
  let text = "";
  for (const [outcome, title] of SECTION_TITLES) {
    const group = findings.filter((finding) => finding.outcome === outcome && !isMissingSection(finding));
    if (group.length === 0) continue;
    text += `${title}: ${group.length} setting${group.length === 1 ? "" : "s"}\n`;
    // Settings with their default value are only counted.
    const listed = group.filter(({ code }) => !code.endsWith("-delivered"));
    for (const { name, message, setting, targets, help, draft } of listed) {
      text += `  ${name}: ${message}\n    ${setting}${targets?.length ? ` -> ${targets.join(", ")}` : ""}\n`;
      if (help) text += `    ${help}\n`;
      if (draft) {
        const body = draft.body === undefined ? "" : ` ${JSON.stringify(draft.body)}`;
        text += `    ${draft.method} ${draft.path}${body}\n`;
      }
    }
    text += "\n";
  }
  return text;
}

function formatWarnings(warnings) {
  if (warnings.length === 0) return "";
  const items = warnings.map(({ pointer, message }) => `  ${message}\n    ${pointer}\n`);
  return `Warnings: ${warnings.length}\n${items.join("")}\n`;
}

/** Names the sections that were not provided. The plan has a finding for each of them. */
function formatMissingSections(findings) {
  const missing = findings.filter(({ code }) => code === "not-provided").map(({ setting }) => setting.split("/")[1]);
  if (missing.length === 0) return "";
  return `Not provided: ${missing.join(", ")}\n  The result assumes that these sections are empty or have default values.\n`;
}

// Each subcommand receives the migration plan and the parsed command line.
const subcommands = {
  plan({ ruleset, findings, warnings, compatible }, { format }) {
    const code = compatible && !findings.some(({ outcome }) => outcome === "needs-support") ? EXIT_OK : EXIT_PROBLEMS;
    const missing = formatMissingSections(findings);
    const sections = formatFindings(findings) + formatWarnings(warnings) + missing + (missing && "\n");
    const text = format === "json" ? "" : `${sections}New configuration:\n${prettyJson(ruleset)}`;
    return { findings, compatible, text, code };
  },
  check(planned, { config, options, phaseOne }) {
    const { findings, warnings, compatible } = migration.check(config, { ...options, phaseOne });
    const code = findings.length === 0 ? EXIT_OK : EXIT_PROBLEMS;
    let verdict = "The zone can migrate.";
    if (code === EXIT_PROBLEMS) verdict = "The zone can migrate with help from support.";
    const isFree = findings.some(({ code }) => code === "free-plan");
    if (!compatible) verdict = isFree ? "The zone cannot migrate." : "The zone cannot migrate yet.";
    const sections = formatFindings(findings) + formatWarnings(warnings) + formatMissingSections(planned.findings);
    return { findings, compatible, text: `${verdict}\n${sections && "\n"}${sections}`, code };
  },
  report({ findings, compatible }, { config, options, format }) {
    const text = format === "json" ? "" : migration.report(config, { ...options, format }).text;
    return { findings, compatible, text, code: EXIT_OK };
  },
};

/** Returns the errors in the configuration, with the messages of the native binary. */
function configErrors({ errors, diagnostics }) {
  return [...errors, ...diagnostics].map(({ pointer = "", message }) => ({ pointer, message }));
}

function run(args) {
  if (args.length === 0 || args.includes("--help") || args.includes("-h")) {
    return { out: HELP, code: args.length === 0 ? EXIT_USAGE : EXIT_OK };
  }
  if (args.includes("--version") || args.includes("-V")) return { out: `zonewright ${version}\n`, code: EXIT_OK };
  const command = parseCommandLine(args);
  const config = readText(command.file);
  const options = { plan: command.plan };
  const planned = migration.plan(config, options);
  const errors = configErrors(planned);
  if (errors.length > 0) {
    if (command.format === "json") return { out: prettyJson({ errors }), code: EXIT_USAGE };
    const line = ({ pointer, message }) => `zonewright: ${displayName(command.file)}: ${pointer}${pointer ? ": " : ""}${message}\n`;
    return { err: errors.map(line).join(""), code: EXIT_USAGE };
  }
  const runSubcommand = subcommands[command.subcommand];
  const { compatible, findings, text, code } = runSubcommand(planned, { ...command, config, options });
  const { ruleset, warnings } = planned;
  return { out: command.format === "json" ? prettyJson({ compatible, ruleset, findings, warnings }) : text, code };
}

// A closed pipe, as in `zonewright … | head -1`, is not an error.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
});
try {
  const { out = "", err = "", code } = run(process.argv.slice(2));
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = code;
} catch (error) {
  const isUsageError = error instanceof UsageError || String(error.code).startsWith("ERR_PARSE_ARGS");
  if (!isUsageError && !(error instanceof InputError)) throw error;
  process.stderr.write(`zonewright: ${error.message}\n${isUsageError ? "See `zonewright --help`.\n" : ""}`);
  process.exitCode = EXIT_USAGE;
}
