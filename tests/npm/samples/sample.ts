import { analyze, check, complete, hover, init, signature, version } from "zonewright";
import type { Analysis, CheckResult, Completions, Diagnostic, Options, Phase } from "zonewright";

const phase: Phase = "http_request_firewall_custom";
const options: Options = { kind: "expression", phase, plan: "pro", lists: { office: "ip" }, maxLength: 4096 };
const result: CheckResult = check("ssl", options);
const analysis: Analysis = analyze("ssl");
const completions: Completions = complete("ss", 2, null);
const shown: string | undefined = hover("ssl", 1, options).hover?.example;
const active: number | null | undefined = signature("lower(", 6).signature?.active;
const loaded: Promise<void> = init();
const text: string = version + (result.type ?? "") + analysis.meters.maxLength.toFixed(0);

for (const one of result.diagnostics satisfies Diagnostic[]) {
  const help: string | undefined = one.help;
  const edits = one.fixes.filter((fix) => fix.safe).flatMap((fix) => fix.edits);
  console.log(
    one.code,
    one.line,
    help,
    edits.map((edit) => edit.text),
    one.related[0]?.message,
  );
}

check("ssl", { plan: undefined, phase: null });
// @ts-expect-error: no such option
check("ssl", { phse: phase });
// @ts-expect-error: no such plan
check("ssl", { plan: "gold" });
// @ts-expect-error: the source is a string
check(5);

export { active, completions, loaded, shown, text };
