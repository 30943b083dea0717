"use strict";
const ROW = 24, SPARE = 10, BINS = 24;
const SEVERAL_ANSWERS = 1, RERUN = 2, FLAKY = 4, UNSHIELDED = 8;
const FLAGS = [
  [SEVERAL_ANSWERS, "several answers"], [FLAKY, "judged differently"], [RERUN, "near the time limit"], [UNSHIELDED, "not kept apart"],
];
const at = id => document.getElementById(id);
let data, columns, count, shown = [], order = null, blocks = new Map();

// Whatever a program or a problem says is put into the page as text.
function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}
const cells = (name, values) => values.map(value => element(name, {}, ...[value].flat()));
const rowOf = (name, values) => element("tr", {}, ...cells(name, values));
const percent = share => (100 * share).toFixed(1);
const decision = number => data.decisions[number];
const tone = number => number === 0 ? "accepted" : "rejected";

// The state is in the address, so that it can be kept and passed on.
function state() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}
function change(fields) {
  const next = Object.entries({...state(), ...fields}).filter(([, value]) => value);
  history.replaceState(null, "", "#" + new URLSearchParams(next));
  update();
}

function take(fresh) {
  data = fresh;
  columns = data.columns;
  count = columns.id.length;
  blocks = new Map();
  at("files").textContent = `${count} verdicts of ${data.files.join(", ")}` +
    (data.before ? `, compared with ${data.before}` : "");
  showRates();
  showProfiles();
  showChanges();
  showProblems();
  makeFilters();
  update();
}

function rateCell(rates, k) {
  if (rates.pass[k] === undefined) return "";
  const [low, high] = rates.intervals[k];
  return [percent(rates.pass[k]), element("small", {}, ` ${percent(low)}–${percent(high)}`)];
}
function showRates() {
  const ks = [...new Set(data.tally.groups.flatMap(group => Object.keys(group.pass)))].map(Number).sort((a, b) => a - b);
  const head = ["platform", "difficulty", "problems", "samples", ...ks.map(k => `pass@${k}`), "avg"];
  const row = group => rowOf("td", [
    group.platform, group.difficulty, group.problems, group.samples, ...ks.map(k => rateCell(group, k)), percent(group.avg),
  ]);
  at("rates").querySelector("table").replaceChildren(rowOf("th", head), ...data.tally.groups.map(row));
}

function showProfiles() {
  const section = at("profiles"), profiles = data.tally.profiles;
  section.hidden = columns.also.length === 0;
  const row = ([name, rates]) => {
    const column = columns.also.find(also => also.profile === name);
    const decided = column ? column.verdict : columns.verdict;
    let accepted = 0, disagrees = 0;
    for (let i = 0; i < count; i++) {
      accepted += decided[i] === 0;
      disagrees += decided[i] !== null && decided[i] !== columns.verdict[i];
    }
    const link = column && element("span", {className: "link", onclick: () => change({also: name})}, disagrees);
    return rowOf("td", [name, accepted, rateCell(rates, 1), link ?? "–"]);
  };
  section.querySelector("table").replaceChildren(rowOf("th", ["profile", "accepted", "pass@1", "disagrees"]), ...profiles.map(row));
}

function showChanges() {
  const section = at("changes");
  section.hidden = data.before === null;
  if (section.hidden) return;
  const flips = new Map();
  let both = 0;
  for (let i = 0; i < count; i++) {
    const before = columns.before[i];
    if (before === null) continue;
    both++;
    if (before === columns.verdict[i]) continue;
    const key = `${before}-${columns.verdict[i]}`;
    flips.set(key, (flips.get(key) ?? 0) + 1);
  }
  const flipped = [...flips.values()].reduce((sum, n) => sum + n, 0);
  section.querySelector("p").textContent =
    `Different verdicts for ${flipped} of ${both} submissions; ${count - both} were not there before.`;
  const rows = [...flips].sort((a, b) => b[1] - a[1]).map(([key, n]) => {
    const [before, after] = key.split("-").map(Number);
    return rowOf("td", [decision(before), decision(after), element("span", {className: "link", onclick: () => change({flip: key})}, n)]);
  });
  section.querySelector("table").replaceChildren(rowOf("th", ["before", "now", "submissions"]), ...rows);
}

function showProblems() {
  const counts = new Map();
  for (let i = 0; i < count; i++) {
    if ((columns.flags[i] & ~RERUN) === 0) continue;
    const problem = columns.problem[i], found = counts.get(problem) ?? {};
    for (const [bit] of FLAGS) if (columns.flags[i] & bit) found[bit] = (found[bit] ?? 0) + 1;
    counts.set(problem, found);
  }
  at("problems").hidden = counts.size === 0;
  const rows = [...counts].slice(0, 500).map(([problem, found]) => {
    const id = columns.problems[problem].id;
    return rowOf("td", [
      element("span", {className: "link", onclick: () => change({text: id})}, id), ...FLAGS.map(([bit]) => found[bit] ?? ""),
    ]);
  });
  at("problems").querySelector("table").replaceChildren(rowOf("th", ["problem", ...FLAGS.map(([, name]) => name)]), ...rows);
}

function choice(field, label, options) {
  const select = element("select", {name: field, onchange: event => change({[field]: event.target.value})});
  select.append(element("option", {value: ""}, "any"), ...options.map(([value, name]) => element("option", {value}, name)));
  return element("label", {}, label, select);
}
function makeFilters() {
  const told = field => [...new Set(columns.problems.map(problem => problem[field]).filter(value => value !== null))].sort();
  const same = values => values.map(value => [value, value]);
  const present = new Set(columns.verdict);
  const text = element("input", {name: "text", type: "search", placeholder: "id or problem", oninput: event => change({text: event.target.value})});
  const labels = [
    element("label", {}, "search", text),
    choice("platform", "platform", same(told("platform"))),
    choice("difficulty", "difficulty", same(told("difficulty"))),
    choice("verdict", "verdict", same(data.decisions.filter((_, number) => present.has(number)))),
    choice("strategy", "accepted by", same(Object.keys(data.tally.strategies))),
    choice("flag", "worth a look", FLAGS.map(([bit, name]) => [String(bit), name])),
  ];
  if (columns.also.length) labels.push(choice("also", "another verdict by", same(columns.also.map(also => also.profile))));
  if (data.before !== null) labels.push(choice("flip", "changed", [["all", "all that changed"]]));
  at("filters").replaceChildren(...labels, element("span", {id: "count"}));
  at("filters").onsubmit = () => false;
}

function filter() {
  const wanted = state(), text = (wanted.text ?? "").toLowerCase();
  const fits = columns.problems.map(problem =>
    (!wanted.platform || problem.platform === wanted.platform) && (!wanted.difficulty || problem.difficulty === wanted.difficulty));
  const named = columns.problems.map(problem => problem.id.toLowerCase().includes(text));
  const sets = columns.sets.map(set => !wanted.strategy || set.includes(wanted.strategy));
  const verdict = wanted.verdict ? data.decisions.indexOf(wanted.verdict) : null;
  const also = columns.also.find(column => column.profile === wanted.also)?.verdict;
  const flipped = i => columns.before[i] !== null && columns.before[i] !== columns.verdict[i] &&
    (wanted.flip === "all" || wanted.flip === `${columns.before[i]}-${columns.verdict[i]}`);
  const flag = Number(wanted.flag ?? 0);
  const found = [];
  for (let i = 0; i < count; i++) {
    if (!fits[columns.problem[i]] || !sets[columns.set[i]]) continue;
    if (verdict !== null && columns.verdict[i] !== verdict) continue;
    if (flag && (columns.flags[i] & flag) === 0) continue;
    if (also && (also[i] === null || also[i] === columns.verdict[i])) continue;
    if (wanted.flip && !flipped(i)) continue;
    if (text && !named[columns.problem[i]] && !columns.id[i].toLowerCase().includes(text)) continue;
    found.push(i);
  }
  return found;
}

const HEAD = [["id", "submission"], ["problem", "problem"], ["verdict", "verdict"], ["passed", "passed"], ["cpu", "CPU ms"], ["memory", "MiB"]];
function sorted(places) {
  const {sort} = state();
  if (!sort) return places;
  const back = sort.startsWith("-"), values = columns[sort.replace("-", "")];
  if (values === undefined) return places;
  return places.sort((a, b) => (values[a] < values[b] ? -1 : values[a] > values[b] ? 1 : a - b) * (back ? -1 : 1));
}

function update() {
  const wanted = state();
  for (const field of at("filters").elements) if (document.activeElement !== field) field.value = wanted[field.name] ?? "";
  shown = sorted(filter());
  at("count").textContent = `${shown.length} of ${count}`;
  at("rows").style.height = `${ROW * shown.length}px`;
  const heads = HEAD.map(([field, name]) => element("span", {onclick: () => change({sort: wanted.sort === field ? `-${field}` : field})}, name));
  at("head").replaceChildren(...heads);
  showFigures();
  showRows();
  showDetail();
}

// Only the rows in sight are there, with a few beside.
function showRows() {
  const list = at("list"), first = Math.max(0, Math.floor(list.scrollTop / ROW) - SPARE);
  const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + SPARE);
  const chosen = chosenPlace(), rows = [];
  for (let place = first; place < last; place++) {
    const i = shown[place], number = columns.verdict[i];
    const row = element("div", {className: i === chosen ? "row chosen" : "row", onclick: () => choose(i)},
      element("span", {}, columns.id[i]), element("span", {}, columns.problems[columns.problem[i]].id),
      element("span", {className: tone(number)}, decision(number)), element("span", {}, `${columns.passed[i]}/${columns.total[i]}`),
      element("span", {}, columns.cpu[i].toFixed(1)), element("span", {}, Math.ceil(columns.memory[i] / 1024)));
    row.style.top = `${ROW * place}px`;
    rows.push(row);
  }
  at("rows").replaceChildren(...rows);
}

function bars(title, counts, chosen) {
  const most = Math.max(1, ...counts.map(([, n]) => n));
  const bar = ([name, n, accepted]) => {
    const fill = element("i");
    fill.style.width = `${100 * n / most}%`;
    const label = `${n} (${percent(n / Math.max(1, shown.length))} %)`;
    return element("div", {className: accepted ? "bar accepted" : "bar", onclick: () => chosen(name)}, element("span", {}, name), element("span", {}, fill), element("span", {}, label));
  };
  return element("figure", {}, element("figcaption", {}, title), ...counts.map(bar));
}

function svg(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}
// Bins of equal width by logarithm: accepted below, the others above.
function histogram(title, values, unit) {
  const bin = value => Math.max(0, Math.floor(2 * Math.log2(Math.max(value, 1))));
  const bins = Array.from({length: BINS}, () => [0, 0]);
  for (const i of shown) {
    if (columns.total[i] && values[i] > 0) bins[Math.min(BINS - 1, bin(values[i]))][columns.verdict[i] === 0 ? 0 : 1]++;
  }
  const most = Math.max(1, ...bins.map(([a, b]) => a + b)), height = 90, width = 14;
  const drawn = svg("svg", {width: BINS * width + 40, height: height + 20});
  bins.forEach(([accepted, others], place) => {
    const from = 2 ** (place / 2), x = place * width, tall = n => height * n / most;
    const group = svg("g", {});
    group.append(svg("title", {}, `from ${from.toFixed(0)} ${unit}: ${accepted} accepted, ${others} not`),
      svg("rect", {x, width: width - 1, y: height - tall(accepted), height: tall(accepted), fill: "#00664a"}),
      svg("rect", {x, width: width - 1, y: height - tall(accepted) - tall(others), height: tall(others), fill: "#a04000"}));
    if (place % 4 === 0) group.append(svg("text", {x, y: height + 14, "font-size": 10}, from.toFixed(0)));
    drawn.append(group);
  });
  return element("figure", {}, element("figcaption", {}, `${title} (${unit})`), drawn);
}
function showFigures() {
  const decided = data.decisions.map(() => 0), sets = columns.sets.map(() => 0), strategies = {};
  for (const i of shown) {
    decided[columns.verdict[i]]++;
    sets[columns.set[i]]++;
  }
  columns.sets.forEach((set, place) => set.forEach(name => strategies[name] = (strategies[name] ?? 0) + sets[place]));
  const verdicts = decided.map((n, number) => [decision(number), n, number === 0]).filter(([, n]) => n > 0);
  const accepting = Object.entries(strategies).filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1]).map(([name, n]) => [name, n, true]);
  at("figures").replaceChildren(
    bars("Verdicts", verdicts, verdict => change({verdict})),
    bars("With a test accepted by", accepting, strategy => change({strategy})),
    histogram("CPU time, the most of a test", columns.cpu, "ms"),
    histogram("Memory, the most of a test", columns.memory.map(kib => kib / 1024), "MiB"));
}

async function lines(block) {
  if (!blocks.has(block)) {
    const bytes = Uint8Array.from(atob(data.details[block]), c => c.charCodeAt(0));
    const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    blocks.set(block, new Response(inflated).text().then(text => text.split("\n")));
  }
  return blocks.get(block);
}
async function showDetail() {
  const i = chosenPlace();
  if (i < 0) return at("detail").replaceChildren(element("p", {}, "Choose a submission."));
  const text = (await lines(Math.floor(i / data.block)))[i % data.block];
  if (chosenPlace() === i) at("detail").replaceChildren(...detail(i, JSON.parse(text)));
}

// Several runs may have a submission of one id: its row tells them apart.
function chosenPlace() {
  const {id, row} = state();
  if (row !== undefined && Number(row) < count) return Number(row);
  return id === undefined ? -1 : columns.id.indexOf(id);
}
const choose = i => change({row: String(i), id: ""});

function detail(i, one) {
  const number = columns.verdict[i], problem = columns.problems[columns.problem[i]];
  const title = element("h3", {}, `${columns.id[i]}: `, element("span", {className: tone(number)}, decision(number)));
  const facts = [
    `problem ${problem.id}`, problem.platform, problem.difficulty, `${columns.passed[i]} of ${columns.total[i]} passed`,
    `reward ${columns.reward[i] ?? "none"}`, `profile ${one.profile}`,
  ];
  const notes = FLAGS.filter(([bit]) => columns.flags[i] & bit).map(([, name]) => name);
  if (one.same_as) notes.push(`same program as ${one.same_as}, which was run in its place`);
  if (one.before) notes.push(`before: ${one.before}`);
  if (one.not_run) notes.push(`${one.not_run} tests not run`);
  for (const [name, also] of Object.entries(one.also)) notes.push(`${name}: ${also.verdict}, ${also.passed} passed`);
  return [
    title, element("p", {}, facts.filter(Boolean).join(", ")), ...notes.map(note => element("p", {}, note)),
    one.message === undefined ? null : element("pre", {}, one.message),
    one.code === undefined ? null : element("details", {open: true}, element("summary", {}, "program"), element("pre", {}, one.code)),
    ...one.cases.map((test, place) => caseDetail(one, test, place)),
  ].filter(Boolean);
}

function caseDetail(one, test, place) {
  const accepted = test.verdict === "accepted";
  const how = test.strategy ? ` by ${test.strategy}` : test.clock ? ` (${test.clock} time)` : "";
  const ended = test.exit !== undefined ? `, exit status ${test.exit}` : test.signal !== undefined ? `, signal ${test.signal}` : "";
  const used = `, ${test.cpu_ms.toFixed(0)} ms CPU, ${Math.ceil(test.memory_kib / 1024)} MiB${ended}`;
  const summary = element("summary", {}, `test ${test.name ?? place}: `, element("span", {className: accepted ? "accepted" : "rejected"}, test.verdict), how + used);
  const first = one.cases.findIndex(other => other.verdict !== "accepted");
  const also = Object.entries(one.also).flatMap(([name, profile]) =>
    (profile.differs ?? []).filter(differs => differs.case === place).map(differs => `${name}: ${differs.verdict}`));
  return element("details", {open: place === first}, summary,
    ...also.map(text => element("p", {}, text)),
    test.diff ? difference(test) : null,
    ...[["message", test.message], ["input", test.input], ["standard output", test.stdout], ["standard error", test.stderr ?? test.stderr_tail]]
      .filter(([, text]) => text).flatMap(([name, text]) => [element("small", {}, name), element("pre", {}, text)]));
}
function difference({diff, context}) {
  const where = diff.path ?? `line ${diff.line ?? "?"}${diff.column ? `, column ${diff.column}` : ""}`;
  const side = (name, token, about) => {
    const lines = (about ?? []).flatMap((line, n) => {
      const number = context.from + n;
      const text = `${String(number).padStart(4)}  ${line}\n`;
      return number === diff.line ? element("mark", {}, text) : text;
    });
    return element("div", {}, element("small", {}, `${name}: ${token === "" ? "nothing more" : token}`), lines.length ? element("pre", {}, ...lines) : null);
  };
  return element("div", {className: "difference"}, element("p", {}, `first difference at ${where}`),
    element("div", {className: "sides"}, side("expected", diff.expected, context?.expected), side("actual", diff.actual, context?.actual)));
}

// Of a file that is still written: what is new takes the place of what is shown.
async function refresh() {
  const answer = await fetch(`data?have=${data.stamp ?? ""}`);
  if (answer.status === 200) take(await answer.json());
}

at("list").addEventListener("scroll", showRows);
at("list").addEventListener("keydown", event => {
  const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
  if (step === undefined || shown.length === 0) return;
  event.preventDefault();
  const place = shown.indexOf(chosenPlace()) + step;
  const next = Math.min(shown.length - 1, Math.max(0, place));
  at("list").scrollTop = Math.max(0, ROW * next - at("list").clientHeight / 2);
  choose(shown[next]);
});
window.addEventListener("hashchange", update);
take(JSON.parse(at("data").textContent));
document.body.dataset.ready = Math.round(performance.now());
if (LIVE > 0) setInterval(() => refresh().catch(() => {}), 1000 * LIVE);
