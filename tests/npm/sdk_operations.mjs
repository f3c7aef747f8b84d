// Every documented operation: its test file, method, path, and method of the official SDK. Without a method, the
// tests use the generic `client.get` and similar.

/** Paths by owner: operations of zones and accounts are called for both. */
const scopedPaths = (owners, rest) => owners.map((owner) => `/${owner}/{id}${rest}`);
const zonePaths = (rest) => scopedPaths(["zones"], rest);
const accountPaths = (rest) => scopedPaths(["accounts"], rest);
const allPaths = (rest) => scopedPaths(["zones", "accounts"], rest);

const table = [
  ["zones", "GET", ["/zones"], "zones.list"],
  ["zones", "GET", zonePaths(""), "zones.get"],
  ["zones", "GET", ["/user"], "user.get"],
  ["zones", "GET", ["/user/tokens/verify"], "user.tokens.verify"],
  ["zones", "GET", ["/accounts"], "accounts.list"],
  ["zones", "GET", accountPaths(""), "accounts.get"],
  ["zones", "GET", accountPaths("/tokens/verify"), "accounts.tokens.verify"],
  ["zones", "GET", accountPaths("/audit_logs"), "auditLogs.list"],

  ["firewall", "GET", ["/filters/validate-expr"]],
  ["firewall", "POST", ["/filters/validate-expr"]],
  ["firewall", "GET", zonePaths("/filters"), "filters.list"],
  ["firewall", "POST", zonePaths("/filters"), "filters.create"],
  ["firewall", "PUT", zonePaths("/filters"), "filters.bulkUpdate"],
  ["firewall", "DELETE", zonePaths("/filters"), "filters.bulkDelete"],
  ["firewall", "GET", zonePaths("/filters/{id}"), "filters.get"],
  ["firewall", "PUT", zonePaths("/filters/{id}"), "filters.update"],
  ["firewall", "DELETE", zonePaths("/filters/{id}"), "filters.delete"],
  ["firewall", "GET", zonePaths("/firewall/rules"), "firewall.rules.list"],
  ["firewall", "POST", zonePaths("/firewall/rules"), "firewall.rules.create"],
  ["firewall", "PUT", zonePaths("/firewall/rules"), "firewall.rules.bulkUpdate"],
  ["firewall", "PATCH", zonePaths("/firewall/rules"), "firewall.rules.bulkEdit"],
  ["firewall", "DELETE", zonePaths("/firewall/rules"), "firewall.rules.bulkDelete"],
  ["firewall", "GET", zonePaths("/firewall/rules/{id}"), "firewall.rules.get"],
  ["firewall", "PUT", zonePaths("/firewall/rules/{id}"), "firewall.rules.update"],
  ["firewall", "PATCH", zonePaths("/firewall/rules/{id}"), "firewall.rules.edit"],
  ["firewall", "DELETE", zonePaths("/firewall/rules/{id}"), "firewall.rules.delete"],

  ["waf", "GET", zonePaths("/firewall/waf/packages"), "firewall.waf.packages.list"],
  ["waf", "GET", zonePaths("/firewall/waf/packages/{id}"), "firewall.waf.packages.get"],
  ["waf", "PATCH", zonePaths("/firewall/waf/packages/{id}")],
  ["waf", "GET", zonePaths("/firewall/waf/packages/{id}/groups"), "firewall.waf.packages.groups.list"],
  ["waf", "GET", zonePaths("/firewall/waf/packages/{id}/groups/{id}"), "firewall.waf.packages.groups.get"],
  ["waf", "PATCH", zonePaths("/firewall/waf/packages/{id}/groups/{id}"), "firewall.waf.packages.groups.edit"],
  ["waf", "GET", zonePaths("/firewall/waf/packages/{id}/rules"), "firewall.waf.packages.rules.list"],
  ["waf", "GET", zonePaths("/firewall/waf/packages/{id}/rules/{name}"), "firewall.waf.packages.rules.get"],
  ["waf", "PATCH", zonePaths("/firewall/waf/packages/{id}/rules/{name}"), "firewall.waf.packages.rules.edit"],
  ["waf", "GET", zonePaths("/firewall/waf/overrides"), "firewall.waf.overrides.list"],
  ["waf", "POST", zonePaths("/firewall/waf/overrides"), "firewall.waf.overrides.create"],
  ["waf", "GET", zonePaths("/firewall/waf/overrides/{id}"), "firewall.waf.overrides.get"],
  ["waf", "PUT", zonePaths("/firewall/waf/overrides/{id}"), "firewall.waf.overrides.update"],
  ["waf", "DELETE", zonePaths("/firewall/waf/overrides/{id}"), "firewall.waf.overrides.delete"],
  ["waf", "GET", zonePaths("/settings/waf"), "zones.settings.get"],
  ["waf", "PATCH", zonePaths("/settings/waf"), "zones.settings.edit"],
  ["waf", "GET", zonePaths("/pagerules"), "pageRules.list"],
  ["waf", "POST", zonePaths("/pagerules"), "pageRules.create"],
  ["waf", "GET", zonePaths("/pagerules/{id}"), "pageRules.get"],
  ["waf", "PUT", zonePaths("/pagerules/{id}"), "pageRules.update"],
  ["waf", "PATCH", zonePaths("/pagerules/{id}"), "pageRules.edit"],
  ["waf", "DELETE", zonePaths("/pagerules/{id}"), "pageRules.delete"],

  ["rulesets", "GET", allPaths("/rulesets"), "rulesets.list"],
  ["rulesets", "POST", allPaths("/rulesets"), "rulesets.create"],
  ["rulesets", "GET", allPaths("/rulesets/{id}"), "rulesets.get"],
  ["rulesets", "PUT", allPaths("/rulesets/{id}"), "rulesets.update"],
  ["rulesets", "DELETE", allPaths("/rulesets/{id}"), "rulesets.delete"],
  ["rulesets", "GET", allPaths("/rulesets/{id}/versions"), "rulesets.versions.list"],
  ["rulesets", "GET", allPaths("/rulesets/{id}/versions/{number}"), "rulesets.versions.get"],
  ["rulesets", "DELETE", allPaths("/rulesets/{id}/versions/{number}"), "rulesets.versions.delete"],
  ["rulesets", "GET", accountPaths("/rulesets/{id}/versions/{number}/by_tag/{name}")],
  ["rulesets", "POST", allPaths("/rulesets/{id}/rules"), "rulesets.rules.create"],
  ["rulesets", "PATCH", allPaths("/rulesets/{id}/rules/{id}"), "rulesets.rules.edit"],
  ["rulesets", "DELETE", allPaths("/rulesets/{id}/rules/{id}"), "rulesets.rules.delete"],
  ["rulesets", "GET", allPaths("/rulesets/phases/{phase}/entrypoint"), "rulesets.phases.get"],
  ["rulesets", "PUT", allPaths("/rulesets/phases/{phase}/entrypoint"), "rulesets.phases.update"],
  ["rulesets", "GET", allPaths("/rulesets/phases/{phase}/entrypoint/versions"), "rulesets.phases.versions.list"],
  ["rulesets", "GET", allPaths("/rulesets/phases/{phase}/entrypoint/versions/{number}"), "rulesets.phases.versions.get"],
  ["rulesets", "GET", zonePaths("/waf_migration/check")],
  ["rulesets", "GET", zonePaths("/waf_migration/config")],
  ["rulesets", "GET", zonePaths("/waf_migration/status")],

  ["logpush", "GET", allPaths("/logpush/jobs"), "logpush.jobs.list"],
  ["logpush", "POST", allPaths("/logpush/jobs"), "logpush.jobs.create"],
  ["logpush", "GET", allPaths("/logpush/jobs/{number}"), "logpush.jobs.get"],
  ["logpush", "PUT", allPaths("/logpush/jobs/{number}"), "logpush.jobs.update"],
  ["logpush", "DELETE", allPaths("/logpush/jobs/{number}"), "logpush.jobs.delete"],
  ["logpush", "GET", allPaths("/logpush/datasets/{dataset}/jobs"), "logpush.datasets.jobs.get"],
  ["logpush", "GET", allPaths("/logpush/datasets/{dataset}/fields"), "logpush.datasets.fields.get"],
  ["logpush", "GET", allPaths("/logpush/datasets/{dataset}/fields/default")],
  ["logpush", "POST", allPaths("/logpush/ownership"), "logpush.ownership.create"],
  ["logpush", "POST", allPaths("/logpush/ownership/validate"), "logpush.ownership.validate"],
  ["logpush", "POST", allPaths("/logpush/validate/destination"), "logpush.validate.destination"],
  ["logpush", "POST", allPaths("/logpush/validate/destination/exists"), "logpush.validate.destinationExists"],
  ["logpush", "POST", allPaths("/logpush/validate/origin"), "logpush.validate.origin"],
  ["logpush", "GET", zonePaths("/logpush/edge")],
  ["logpush", "POST", zonePaths("/logpush/edge"), null, "refused"],
  ["logpush", "GET", zonePaths("/logpush/edge/jobs"), "logpush.edge.get"],
  ["logpush", "POST", zonePaths("/logpush/edge/jobs"), "logpush.edge.create", "refused"],
  ["logpush", "GET", accountPaths("/logpush/transformers"), "logpush.transformers.list", "refused"],
  ["logpush", "POST", accountPaths("/logpush/transformers"), "logpush.transformers.create", "refused"],
  ["logpush", "POST", accountPaths("/logpush/transformers/preview"), "logpush.transformers.preview", "refused"],
  ["logpush", "GET", accountPaths("/logpush/transformers/{name}"), "logpush.transformers.get", "refused"],
  ["logpush", "PUT", accountPaths("/logpush/transformers/{name}"), "logpush.transformers.update", "refused"],
  ["logpush", "DELETE", accountPaths("/logpush/transformers/{name}"), "logpush.transformers.delete", "refused"],
  ["logpush", "GET", accountPaths("/logpush/transformers/{name}/content"), "logpush.transformers.content.get", "refused"],
  ["logpush", "GET", accountPaths("/logpush/transformers/{name}/versions"), "logpush.transformers.versions.list", "refused"],
];

/**
 * One entry per path: `part`, `method`, `path`, the SDK method `call`, and whether the service always rejects it
 * (`refused`).
 */
export const operations = table.flatMap(([part, method, paths, call = null, refused]) =>
  paths.map((path) => ({ part, method, path, call, refused: refused === "refused" })),
);

const patterns = operations.map(({ method, path }) => {
  // Literal segments match before placeholders: `phases` is not an ID.
  const parts = { "{id}": "[0-9a-f]{32}", "{number}": "\\d+", "{phase}": "\\w+", "{dataset}": "\\w+", "{name}": "[\\w-]+" };
  return [method, new RegExp(`^/client/v4${path.replaceAll(/\{\w+\}/g, (part) => parts[part])}$`)];
});

/** Returns the operation of a request. */
export function findOperation(method, path) {
  return operations[patterns.findIndex(([wanted, pattern]) => wanted === method && pattern.test(path))];
}
