// Every documented operation: the file of tests that has it, its method and address, and how the official SDK calls
// it. Without a name, the SDK has no method for it, and its generic `client.get` and the like are used.

/** Whose an address is: with zones and accounts alike, the tests have to call both. */
const owned = (owners, rest) => owners.map((owner) => `/${owner}/{id}${rest}`);
const zone = (rest) => owned(["zones"], rest);
const account = (rest) => owned(["accounts"], rest);
const both = (rest) => owned(["zones", "accounts"], rest);

const table = [
  ["zones", "GET", ["/zones"], "zones.list"],
  ["zones", "GET", zone(""), "zones.get"],
  ["zones", "GET", ["/user"], "user.get"],
  ["zones", "GET", ["/user/tokens/verify"], "user.tokens.verify"],
  ["zones", "GET", ["/accounts"], "accounts.list"],
  ["zones", "GET", account(""), "accounts.get"],
  ["zones", "GET", account("/tokens/verify"), "accounts.tokens.verify"],
  ["zones", "GET", account("/audit_logs"), "auditLogs.list"],

  ["firewall", "GET", ["/filters/validate-expr"]],
  ["firewall", "POST", ["/filters/validate-expr"]],
  ["firewall", "GET", zone("/filters"), "filters.list"],
  ["firewall", "POST", zone("/filters"), "filters.create"],
  ["firewall", "PUT", zone("/filters"), "filters.bulkUpdate"],
  ["firewall", "DELETE", zone("/filters"), "filters.bulkDelete"],
  ["firewall", "GET", zone("/filters/{id}"), "filters.get"],
  ["firewall", "PUT", zone("/filters/{id}"), "filters.update"],
  ["firewall", "DELETE", zone("/filters/{id}"), "filters.delete"],
  ["firewall", "GET", zone("/firewall/rules"), "firewall.rules.list"],
  ["firewall", "POST", zone("/firewall/rules"), "firewall.rules.create"],
  ["firewall", "PUT", zone("/firewall/rules"), "firewall.rules.bulkUpdate"],
  ["firewall", "PATCH", zone("/firewall/rules"), "firewall.rules.bulkEdit"],
  ["firewall", "DELETE", zone("/firewall/rules"), "firewall.rules.bulkDelete"],
  ["firewall", "GET", zone("/firewall/rules/{id}"), "firewall.rules.get"],
  ["firewall", "PUT", zone("/firewall/rules/{id}"), "firewall.rules.update"],
  ["firewall", "PATCH", zone("/firewall/rules/{id}"), "firewall.rules.edit"],
  ["firewall", "DELETE", zone("/firewall/rules/{id}"), "firewall.rules.delete"],

  ["waf", "GET", zone("/firewall/waf/packages"), "firewall.waf.packages.list"],
  ["waf", "GET", zone("/firewall/waf/packages/{id}"), "firewall.waf.packages.get"],
  ["waf", "PATCH", zone("/firewall/waf/packages/{id}")],
  ["waf", "GET", zone("/firewall/waf/packages/{id}/groups"), "firewall.waf.packages.groups.list"],
  ["waf", "GET", zone("/firewall/waf/packages/{id}/groups/{id}"), "firewall.waf.packages.groups.get"],
  ["waf", "PATCH", zone("/firewall/waf/packages/{id}/groups/{id}"), "firewall.waf.packages.groups.edit"],
  ["waf", "GET", zone("/firewall/waf/packages/{id}/rules"), "firewall.waf.packages.rules.list"],
  ["waf", "GET", zone("/firewall/waf/packages/{id}/rules/{name}"), "firewall.waf.packages.rules.get"],
  ["waf", "PATCH", zone("/firewall/waf/packages/{id}/rules/{name}"), "firewall.waf.packages.rules.edit"],
  ["waf", "GET", zone("/firewall/waf/overrides"), "firewall.waf.overrides.list"],
  ["waf", "POST", zone("/firewall/waf/overrides"), "firewall.waf.overrides.create"],
  ["waf", "GET", zone("/firewall/waf/overrides/{id}"), "firewall.waf.overrides.get"],
  ["waf", "PUT", zone("/firewall/waf/overrides/{id}"), "firewall.waf.overrides.update"],
  ["waf", "DELETE", zone("/firewall/waf/overrides/{id}"), "firewall.waf.overrides.delete"],
  ["waf", "GET", zone("/settings/waf"), "zones.settings.get"],
  ["waf", "PATCH", zone("/settings/waf"), "zones.settings.edit"],
  ["waf", "GET", zone("/pagerules"), "pageRules.list"],
  ["waf", "POST", zone("/pagerules"), "pageRules.create"],
  ["waf", "GET", zone("/pagerules/{id}"), "pageRules.get"],
  ["waf", "PUT", zone("/pagerules/{id}"), "pageRules.update"],
  ["waf", "PATCH", zone("/pagerules/{id}"), "pageRules.edit"],
  ["waf", "DELETE", zone("/pagerules/{id}"), "pageRules.delete"],

  ["rulesets", "GET", both("/rulesets"), "rulesets.list"],
  ["rulesets", "POST", both("/rulesets"), "rulesets.create"],
  ["rulesets", "GET", both("/rulesets/{id}"), "rulesets.get"],
  ["rulesets", "PUT", both("/rulesets/{id}"), "rulesets.update"],
  ["rulesets", "DELETE", both("/rulesets/{id}"), "rulesets.delete"],
  ["rulesets", "GET", both("/rulesets/{id}/versions"), "rulesets.versions.list"],
  ["rulesets", "GET", both("/rulesets/{id}/versions/{number}"), "rulesets.versions.get"],
  ["rulesets", "DELETE", both("/rulesets/{id}/versions/{number}"), "rulesets.versions.delete"],
  ["rulesets", "GET", account("/rulesets/{id}/versions/{number}/by_tag/{name}")],
  ["rulesets", "POST", both("/rulesets/{id}/rules"), "rulesets.rules.create"],
  ["rulesets", "PATCH", both("/rulesets/{id}/rules/{id}"), "rulesets.rules.edit"],
  ["rulesets", "DELETE", both("/rulesets/{id}/rules/{id}"), "rulesets.rules.delete"],
  ["rulesets", "GET", both("/rulesets/phases/{phase}/entrypoint"), "rulesets.phases.get"],
  ["rulesets", "PUT", both("/rulesets/phases/{phase}/entrypoint"), "rulesets.phases.update"],
  ["rulesets", "GET", both("/rulesets/phases/{phase}/entrypoint/versions"), "rulesets.phases.versions.list"],
  ["rulesets", "GET", both("/rulesets/phases/{phase}/entrypoint/versions/{number}"), "rulesets.phases.versions.get"],
  ["rulesets", "GET", zone("/waf_migration/check")],
  ["rulesets", "GET", zone("/waf_migration/config")],
  ["rulesets", "GET", zone("/waf_migration/status")],

  ["logpush", "GET", both("/logpush/jobs"), "logpush.jobs.list"],
  ["logpush", "POST", both("/logpush/jobs"), "logpush.jobs.create"],
  ["logpush", "GET", both("/logpush/jobs/{number}"), "logpush.jobs.get"],
  ["logpush", "PUT", both("/logpush/jobs/{number}"), "logpush.jobs.update"],
  ["logpush", "DELETE", both("/logpush/jobs/{number}"), "logpush.jobs.delete"],
  ["logpush", "GET", both("/logpush/datasets/{dataset}/jobs"), "logpush.datasets.jobs.get"],
  ["logpush", "GET", both("/logpush/datasets/{dataset}/fields"), "logpush.datasets.fields.get"],
  ["logpush", "GET", both("/logpush/datasets/{dataset}/fields/default")],
  ["logpush", "POST", both("/logpush/ownership"), "logpush.ownership.create"],
  ["logpush", "POST", both("/logpush/ownership/validate"), "logpush.ownership.validate"],
  ["logpush", "POST", both("/logpush/validate/destination"), "logpush.validate.destination"],
  ["logpush", "POST", both("/logpush/validate/destination/exists"), "logpush.validate.destinationExists"],
  ["logpush", "POST", both("/logpush/validate/origin"), "logpush.validate.origin"],
  ["logpush", "GET", zone("/logpush/edge")],
  ["logpush", "POST", zone("/logpush/edge"), null, "refused"],
  ["logpush", "GET", zone("/logpush/edge/jobs"), "logpush.edge.get"],
  ["logpush", "POST", zone("/logpush/edge/jobs"), "logpush.edge.create", "refused"],
  ["logpush", "GET", account("/logpush/transformers"), "logpush.transformers.list", "refused"],
  ["logpush", "POST", account("/logpush/transformers"), "logpush.transformers.create", "refused"],
  ["logpush", "POST", account("/logpush/transformers/preview"), "logpush.transformers.preview", "refused"],
  ["logpush", "GET", account("/logpush/transformers/{name}"), "logpush.transformers.get", "refused"],
  ["logpush", "PUT", account("/logpush/transformers/{name}"), "logpush.transformers.update", "refused"],
  ["logpush", "DELETE", account("/logpush/transformers/{name}"), "logpush.transformers.delete", "refused"],
  ["logpush", "GET", account("/logpush/transformers/{name}/content"), "logpush.transformers.content.get", "refused"],
  ["logpush", "GET", account("/logpush/transformers/{name}/versions"), "logpush.transformers.versions.list", "refused"],
];

/** One for each address: `part`, `method`, `path`, `call` of the SDK, and whether the service always `refused`. */
export const operations = table.flatMap(([part, method, paths, call = null, refused]) =>
  paths.map((path) => ({ part, method, path, call, refused: refused === "refused" })),
);

const patterns = operations.map(({ method, path }) => {
  // A word fits before what stands for any: `phases` is no identifier.
  const parts = { "{id}": "[0-9a-f]{32}", "{number}": "\\d+", "{phase}": "\\w+", "{dataset}": "\\w+", "{name}": "[\\w-]+" };
  return [method, new RegExp(`^/client/v4${path.replaceAll(/\{\w+\}/g, (part) => parts[part])}$`)];
});

/** Which operation a request is. */
export function operationOf(method, path) {
  return operations[patterns.findIndex(([wanted, pattern]) => wanted === method && pattern.test(path))];
}
