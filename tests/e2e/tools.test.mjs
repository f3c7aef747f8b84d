// The tools next to the editor: explanation, diagram, sample request, tests, proofs, other languages, links.
import assert from "node:assert/strict";
import { test } from "node:test";
import { editor, fillEditor, openPage } from "./support/browser.mjs";
import { withStaticHost } from "./support/setup.mjs";

const harness = withStaticHost();
const openTool = (page, name) => page.getByRole("tab", { name, exact: true }).click();
const panel = (page) => page.getByRole("tabpanel");
const verdict = (page) => panel(page).getByRole("status").locator(".verdict");
const expression = 'http.host eq "shop.example.com" and (ip.src in {192.0.2.0/24} or not ssl)';

test("tabs are selected by pointer and arrow keys and remain selected between pages", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url);
  await openTool(page, "Test request");
  await page.keyboard.press("ArrowRight");
  await page.getByRole("tab", { name: "Test cases", selected: true }).waitFor();
  await page.keyboard.press("End");
  await page.getByRole("tab", { name: "Copy as", selected: true }).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("tab", { name: "Explain", selected: true }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Expressions" }).click();
  await page.getByRole("tab", { name: "Copy as", selected: true }).waitFor();
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("leaving a tool before its delayed analysis starts causes no error", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url);
  const expectNoCrash = async () => {
    await page.getByRole("tab", { name: "Copy as", selected: true }).waitFor();
    // The analysis starts 250 ms after its tool opens.
    await page.waitForTimeout(400);
    assert.equal(await page.getByText("The app crashed").count(), 0);
    assert.deepEqual(consoleProblems(), []);
  };
  // The second key press leaves "Compare" before its proof starts.
  await openTool(page, "Test cases");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expectNoCrash();
  await openTool(page, "Compare");
  await panel(page).getByRole("button", { name: "Rule list" }).click();
  await openTool(page, "Copy as");
  await expectNoCrash();
  await openTool(page, "Explain");
  await panel(page).locator(".sentence").first().waitFor();
  await context.close();
});

test("a selection in the explanation or the source is shown in both", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url);
  await fillEditor(page, expression);
  const sentences = panel(page).locator(".sentence-text");
  const marked = () => page.evaluate(() => [...document.querySelector(".editor-host").shadowRoot.querySelectorAll(".zw-linked-selection")]
    .map((element) => element.textContent).join(""));
  await sentences.filter({ hasText: "shop.example.com" }).waitFor();
  await sentences.filter({ hasText: "192.0.2.0/24" }).click();
  await sentences.and(page.locator("[aria-pressed=true]")).filter({ hasText: "192.0.2.0/24" }).waitFor();
  assert.match(await marked(), /ip\.src in \{192\.0\.2\.0\/24\}/);
  assert.doesNotMatch(await marked(), /shop/);
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+Home");
  await sentences.and(page.locator("[aria-pressed=true]")).filter({ hasText: "shop.example.com" }).waitFor();
  // The cursor shows the selection, so no mark remains.
  assert.equal(await marked(), "");
  await fillEditor(page, "http.host eq and");
  await panel(page).getByText("Fix the syntax errors to see an explanation").waitFor();
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("a sample request is evaluated condition by condition in the table and in the diagram", { timeout: 90_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url);
  await fillEditor(page, expression);
  await openTool(page, "Test request");
  const request = panel(page).getByRole("textbox", { name: "Request" });
  await request.fill("GET / HTTP/1.1\nHost: shop.example.com\n");
  await panel(page).getByLabel("ip.src", { exact: true }).fill("192.0.2.7");
  await panel(page).getByText("Detected: raw HTTP.").waitFor();
  await verdict(page).getByText("Matches").waitFor();
  const rows = panel(page).getByRole("table", { name: "Conditions" }).getByRole("row");
  await rows.filter({ hasText: "not ssl" }).getByText("not evaluated").first().waitFor();

  await panel(page).getByLabel("ip.src", { exact: true }).fill("");
  await panel(page).getByLabel("ssl", { exact: true }).fill("true");
  await verdict(page).getByText("Undecided: it depends on ip.src").waitFor();
  await panel(page).getByRole("button", { name: "Absent" }).click();
  await verdict(page).getByText("Does not match").waitFor();
  await panel(page).getByLabel("ssl", { exact: true }).fill("perhaps");
  await panel(page).locator(".field-error").filter({ hasText: "perhaps" }).waitFor();
  await panel(page).getByLabel("ssl", { exact: true }).fill("");

  await request.fill("curl 'http://shop.example.com/cart'");
  await panel(page).getByText("Detected: curl command.").waitFor();
  await verdict(page).getByText("Matches").waitFor();
  await request.fill("nothing like a request");
  await panel(page).locator(".field-error").first().waitFor();
  await request.fill("curl 'http://shop.example.com/cart'");

  await openTool(page, "Diagram");
  const steps = panel(page).getByRole("table", { name: "Steps" }).getByRole("row");
  await steps.filter({ hasText: "shop.example.com" }).getByText("true", { exact: true }).waitFor();
  assert.equal(await panel(page).locator(".flow-step").count(), 3);
  assert.equal(await panel(page).locator(".flow-step.true").count(), 2);
  assert.equal(await panel(page).locator(".flow-end.taken").textContent(), "Match");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("labels of the diagram overlap no line, box, or other label", { timeout: 90_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url);
  const hosts = 'http.host eq "a.example" or http.host eq "b.example"';
  await fillEditor(page, `(${hosts}) and not (ssl and cf.client.bot) and (http.request.method eq "GET" or ${hosts}) and tcp.dstport eq 443`);
  await openTool(page, "Diagram");
  await panel(page).locator(".flow-step").nth(7).waitFor();
  const overlaps = await panel(page).locator(".flow").evaluate((flow) => {
    const box = (node) => node.getBoundingClientRect();
    const intersects = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const labels = [...flow.querySelectorAll(".flow-word")];
    const others = [...flow.querySelectorAll(".flow-word, .flow-step rect, .flow-end rect")];
    // The middle of the letters, because their box has empty space above and below.
    const textArea = (label) => {
      const { left, right, top, bottom } = box(label);
      return { left, right, top: top + 3, bottom: bottom - 4 };
    };
    const isCrossed = (label) => [...flow.querySelectorAll(".flow-edge")].some((edge) => {
      const { left, top } = box(edge.ownerSVGElement);
      const area = textArea(label);
      for (let length = 0; length < edge.getTotalLength(); length += 1) {
        const { x, y } = edge.getPointAtLength(length);
        if (x + left > area.left && x + left < area.right && y + top > area.top && y + top < area.bottom) return true;
      }
      return false;
    });
    return labels.filter((label) => isCrossed(label) || others.some((other) => other !== label && intersects(textArea(label), box(other)))).length;
  });
  assert.equal(overlaps, 0);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("two expressions are proved equivalent or a counterexample is shown", { timeout: 90_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url);
  await fillEditor(page, 'http.host in {"a.example" "b.example"}');
  await openTool(page, "Compare");
  await fillEditor(page, 'http.host eq "a.example" or http.host eq "b.example"', "Other expression");
  await verdict(page).getByText("Proved: both expressions match the same requests").waitFor();
  await fillEditor(page, 'http.host eq "a.example"', "Other expression");
  await verdict(page).getByText("The expressions differ").waitFor();
  await panel(page).getByText("b.example").first().waitFor();
  await panel(page).getByRole("button", { name: "Test this request" }).click();
  await verdict(page).getByText("Matches").waitFor();
  await openTool(page, "Compare");
  await panel(page).getByRole("button", { name: "Covers editor expression" }).click();
  await verdict(page).getByText("The other expression does not cover the expression in the editor").waitFor();
  await fillEditor(page, 'ends_with(http.host, ".example")', "Other expression");
  await verdict(page).getByText("Proved: the other expression").waitFor();
  await fillEditor(page, "http.hots eq 1", "Other expression");
  await verdict(page).getByText("Fix the errors").waitFor();
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("the expression is exported to other languages", { timeout: 60_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url);
  await fillEditor(page, 'http.host eq "a"\nand http.user_agent contains "${x}\'"');
  await openTool(page, "Copy as");
  const code = (name) => panel(page).getByRole("region", { name, exact: true }).locator("code").innerText();
  assert.equal(JSON.parse(await code("JSON string")), 'http.host eq "a"\nand http.user_agent contains "${x}\'"');
  assert.equal(await code("HCL string"), '"http.host eq \\"a\\"\\nand http.user_agent contains \\"$${x}\'\\""');
  assert.match(await code("HCL heredoc"), /^chomp\(<<EOT\nhttp\.host eq "a"\nand http\.user_agent contains "\$\$\{x\}'"\nEOT\n\)$/);
  assert.equal(await code("YAML"), 'expression: |-\n  http.host eq "a"\n  and http.user_agent contains "${x}\'"');
  assert.match(await code("curl"), /--data '\[\{"action":"block".*\$\{x\}'\\''/);
  assert.doesNotMatch(await code("curl"), /Bearer (?!\$TOKEN)/);
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("the Share dialog warns about secrets, its link opens the expression, and undo restores the old text", { timeout: 90_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url);
  await fillEditor(page, 'http.request.headers["x-api-key"][0] eq "sk4Xn29QpLr81vTzWq7Hd3"');
  await page.getByRole("combobox", { name: "Plan" }).selectOption("pro");
  await page.getByRole("combobox", { name: "Phase" }).selectOption("http_ratelimit");
  await page.getByRole("button", { name: "Counting", exact: true }).click();
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share" });
  await dialog.getByText("This may contain secrets or personal data").waitFor();
  await page.keyboard.press("Escape");
  await fillEditor(page, 'http.host eq "ümlaut.example" and ssl');
  await page.getByRole("button", { name: "Share" }).click();
  assert.equal(await dialog.getByText("This may contain secrets or personal data").count(), 0);
  const link = await dialog.getByRole("textbox", { name: "Link" }).inputValue();
  assert.match(link, /#\/expressions\?e=/);
  await context.close();

  const other = await openPage(harness.browser, link, { storage: { "zonewright.source": "ssl" } });
  await other.page.getByText("Opened the shared expression").waitFor();
  assert.equal(await editor(other.page).innerText(), 'http.host eq "ümlaut.example" and ssl');
  assert.equal(await other.page.getByRole("combobox", { name: "Plan" }).inputValue(), "pro");
  assert.equal(await other.page.getByRole("combobox", { name: "Phase" }).inputValue(), "http_ratelimit");
  await other.page.getByRole("button", { name: "Counting", pressed: true }).waitFor();
  assert.doesNotMatch(other.page.url(), /e=/);
  await editor(other.page).click();
  await other.page.keyboard.press("ControlOrMeta+z");
  assert.equal(await editor(other.page).innerText(), "ssl");
  await other.page.goto(`${harness.host.url}#/expressions?e=damaged`);
  await other.page.getByText("The link is damaged").waitFor();
  assert.equal(await editor(other.page).innerText(), "ssl");
  assert.deepEqual(consoleProblems().concat(other.consoleProblems()), []);
  await other.context.close();
});

test("every recipe is valid before and after formatting", { timeout: 120_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url);
  const open = () => page.getByRole("button", { name: "Recipes" }).click();
  const dialog = page.getByRole("dialog", { name: "Recipes" });
  await open();
  const names = await dialog.getByRole("heading", { level: 3 }).allInnerTexts();
  assert.equal(names.length, 12);
  await page.keyboard.press("Escape");
  for (const name of names) {
    await open();
    await dialog.getByRole("button", { name: `Use ${name}`, exact: true }).click();
    await page.getByText("No problems found.").waitFor();
    await page.getByRole("button", { name: "Format", exact: true }).click();
    await page.getByText("No problems found.").waitFor();
    await panel(page).locator(".sentence").first().waitFor();
  }
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});

test("test cases are evaluated while they are typed", { timeout: 90_000 }, async () => {
  const { page, context, consoleProblems } = await openPage(harness.browser, harness.host.url);
  await page.getByRole("button", { name: /^Fix/ }).first().click();
  await page.getByText("No problems found.").waitFor();
  await openTool(page, "Test cases");
  await panel(page).getByRole("button", { name: "Show example" }).click();
  await verdict(page).getByText("3 passed").waitFor();
  const cases = panel(page).getByRole("textbox", { name: "Test cases" });
  await cases.fill((await cases.inputValue()).replace("192.0.2.7", "203.0.113.9"));
  await verdict(page).getByText("2 passed, 1 failed").waitFor();
  const failed = panel(page).locator(".case").filter({ hasText: "from the office" });
  assert.match(await failed.innerText(), /203\.0\.113\.9/);
  await fillEditor(page, 'starts_with(http.request.uri.path, "/cart")');
  await verdict(page).getByText("1 passed, 2 failed").waitFor();
  await cases.fill("[[test]]\nname = 1");
  await panel(page).locator(".problem").filter({ hasText: "line 2" }).waitFor();
  await page.reload();
  await openTool(page, "Test cases");
  assert.equal(await cases.inputValue(), "[[test]]\nname = 1");
  assert.deepEqual(consoleProblems(), []);
  await context.close();
});
