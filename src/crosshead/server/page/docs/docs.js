// The API, from the server's OpenAPI document: every route with its parameters, a command that calls it, and its answer.

import { inline } from "../markdown/inline.js";
import * as api from "../shared/api.js";
import { copy, h } from "../shared/dom.js";

const NO_LINKS = { definitions: new Map() };
const main = document.getElementById("main");

api.get("/openapi.json").then(show, (error) => main.replaceChildren(h("p", { class: "problem", role: "alert" }, error.message)));

function show(described) {
  const byTag = new Map();
  for (const [path, operations] of Object.entries(described.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const [tag] = operation.tags;
      byTag.set(tag, [...(byTag.get(tag) ?? []), makeOperation(method.toUpperCase(), path, operation, described)]);
    }
  }
  const tags = [...byTag].flatMap(([tag, operations]) => [h("h2", {}, capital(tag)), ...operations]);
  const schemas = Object.entries(described.components.schemas).map(([name, schema]) => makeSchema(name, schema));
  const about = [`Version ${described.info.version} · `, h("a", { href: "/openapi.json" }, "openapi.json")];
  main.replaceChildren(
    h(
      "div",
      { class: "api" },
      h("h1", {}, "API"),
      h("p", { class: "citation" }, about),
      h("p", {}, prose(described.info.description)),
      tags,
      h("h2", {}, "Values"),
      schemas,
    ),
  );
  openTarget();
  window.addEventListener("hashchange", openTarget);
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target) target.open = true;
  target?.scrollIntoView();
}

function makeOperation(method, path, operation, described) {
  const body = operation.requestBody?.content;
  const sent = body?.["application/json"]?.schema;
  const answers = Object.entries(operation.responses).find(([status]) => Number(status) < 300)[1].content;
  const answer = answers["application/json"];
  const command = makeCommand(method, path, operation, described);
  return h(
    "details",
    { id: operation.operationId },
    h(
      "summary",
      {},
      h("span", { class: `method ${method.toLowerCase()}` }, method),
      h("code", {}, path),
      h("span", { class: "what" }, operation.description ? prose(operation.description) : operation.summary),
    ),
    h("div", { class: "command" }, h("pre", {}, command), h("button", { onclick: () => copy(command, "Command") }, "Copy")),
    operation.parameters && [h("h3", {}, "Parameters"), makeTable(operation.parameters.map(fromParameter))],
    sent && [h("h3", {}, "Body, as JSON"), makeTable(fieldsOf(sent))],
    body && !sent && [h("h3", {}, "Body"), h("p", {}, prose(operation.requestBody.description))],
    h("h3", {}, "Answer"),
    h("p", {}, answer ? typeOf(answer.schema) : Object.keys(answers).map((type, at) => [at ? " or " : "", h("code", {}, type)])),
    answer?.example && h("pre", { tabindex: "0", role: "region", "aria-label": "Example" }, JSON.stringify(answer.example, null, 2)),
  );
}

const makeSchema = (name, schema) =>
  h(
    "details",
    { id: name },
    h("summary", {}, h("code", {}, name), h("span", { class: "what" }, prose(schema.description ?? ""))),
    makeTable(fieldsOf({ ...schema, required: [] })), // values have all their fields
  );

const fromParameter = ({ name, required, description, schema }) => ({ name, required, schema: { description, ...schema } });

const fieldsOf = ({ properties = {}, required = [] }) =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) }));

function makeTable(fields) {
  const row = ({ name, required, schema }) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("code", {}, name), required && h("span", { class: "required" }, " required")),
      h("td", {}, typeOf(schema), isShown(schema.default) && [", by default ", h("code", {}, JSON.stringify(schema.default))]),
      h("td", {}, prose(schema.description ?? "")),
    );
  return h("div", { class: "table", tabindex: "0", role: "region", "aria-label": "Fields" }, h("table", {}, h("tbody", {}, fields.map(row))));
}

const isShown = (value) => value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && !value.length);

// The type of a value in words; names are links to their fields.
function typeOf(schema) {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1);
    return h("a", { href: `#${name}` }, name);
  }
  if (schema.enum) return schema.enum.map((value, at) => [at ? " or " : "", h("code", {}, String(value))]);
  if (schema.anyOf) {
    const kinds = schema.anyOf.filter(({ type }) => type !== "null");
    const nullable = kinds.length < schema.anyOf.length && !("default" in schema) ? " or null" : "";
    return [kinds.map((each, at) => [at ? " or " : "", typeOf(each)]), nullable];
  }
  if (schema.type === "array") return schema.items ? ["list of ", typeOf(schema.items)] : "list";
  const limits = [
    schema.minimum !== undefined && `from ${schema.minimum}`,
    schema.maximum !== undefined && `to ${schema.maximum}`,
  ].filter(Boolean);
  return [schema.format === "date" ? "day" : (schema.type ?? "any value"), ...limits].join(" ");
}

// A command that calls the route, with the example of each required parameter.
function makeCommand(method, path, { parameters = [], requestBody }, described) {
  const example = ({ schema, name }) => schema.examples?.[0] ?? schema.anyOf?.[0]?.examples?.[0] ?? name.toUpperCase();
  const given = parameters.filter((each) => each.required || (requestBody && each.name === "source"));
  const query = given.filter((each) => each.in === "query").map((each) => `${each.name}=${encodeURIComponent(example(each))}`);
  const filled = given.reduce((text, each) => text.replace(`{${each.name}}`, example(each)), path);
  const json = requestBody?.content["application/json"]?.example;
  const isFile = requestBody && !json;
  const parts = [
    "curl",
    method !== "GET" && !requestBody && `-X ${method}`,
    described.security && "-H 'Authorization: Bearer TOKEN'",
    json && `--json '${JSON.stringify(json)}'`,
    isFile && "--data-binary @guide.md",
    `'${location.origin}${filled}${query.length ? `?${query.join("&")}` : ""}'`,
  ];
  return parts.filter(Boolean).join(" ");
}

const prose = (text) => inline(text.replaceAll("``", "`"), NO_LINKS);
const capital = (text) => text[0].toUpperCase() + text.slice(1);
