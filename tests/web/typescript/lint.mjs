// Lints an OpenAPI description with every rule that Redocly recommends; prints each finding and fails where there is one.
import { createConfig, lint } from "@redocly/openapi-core";

const config = await createConfig({
  extends: ["recommended-strict"],
  rules: {
    "operation-tag-defined": "error",
    "operation-operationId": "error",
    "tag-description": "error",
    // OpenAPI itself settles it: /journal/head is matched before /journal/{entry}.
    "no-ambiguous-paths": "off",
  },
});
const findings = await lint({ ref: process.argv[2], config });
for (const finding of findings) {
  console.log(`${finding.ruleId}: ${finding.message} (${finding.location[0]?.pointer ?? ""})`);
}
process.exitCode = findings.length ? 1 : 0;
