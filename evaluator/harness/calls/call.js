// Calls a function once: its arguments are standard input, as JSON, and the result goes to standard output. What the program
// itself prints goes to standard error.
'use strict';

const fs = require('fs');
const vm = require('vm');

const ARGUMENTS = 0, RESULT = 1;
// More than any answer has, by which a circle ends.
const MOST_NODES = 10_000_000;

class ListNode {
    constructor(val, next) {
        this.val = val === undefined ? 0 : val;
        this.next = next === undefined ? null : next;
    }
}

class TreeNode {
    constructor(val, left, right) {
        this.val = val === undefined ? 0 : val;
        this.left = left === undefined ? null : left;
        this.right = right === undefined ? null : right;
    }
}

function listOf(values) {
    return values.reduceRight((next, value) => new ListNode(value, next), null);
}

function treeOf(values) {
    if (!values.length || values[0] === null) return null;
    const root = new TreeNode(values[0]), parents = [root];
    for (let i = 1, first = 0; i < values.length && first < parents.length; i += 2, first++) {
        for (const [place, side] of [[i, 'left'], [i + 1, 'right']]) {
            if (values[place] === null || values[place] === undefined) continue;
            parents[first][side] = new TreeNode(values[place]);
            parents.push(parents[first][side]);
        }
    }
    return root;
}

// A value as it comes: plain, or an object of one member that tells its kind.
function decode(value) {
    if (Array.isArray(value)) return value.map(decode);
    if (value === null || typeof value !== 'object') return value;
    const [[kind, content]] = Object.entries(value);
    switch (kind) {
    case 'int': return content.startsWith('-') ? -BigInt(content.slice(1)) : BigInt(content);
    case 'float': return { nan: NaN, inf: Infinity, '-inf': -Infinity }[content];
    case 'tuple': return content.map(decode);
    case 'set': return new Set(content.map(decode));
    case 'dict': return Object.fromEntries(content.map(([name, item]) => [decode(name), decode(item)]));
    case 'ListNode': return listOf(content.map(decode));
    case 'TreeNode': return treeOf(content.map(decode));
    }
    throw new TypeError(`a ${kind} has no like in JavaScript`);
}

// What LeetCode's parameters are called.
const USUAL_NAMES = { ListNode: /^(?:head\w?|l[12]|list[12]|node|lists)$/, TreeNode: /^(?:root\w?|\w*[tT]ree\w?|[pq]|t[12])$/ };

// A list as the nodes of this kind, or as the list of them.
function asNodes(value, kind) {
    if (!Array.isArray(value) || kind === undefined) return value;
    const make = kind.startsWith('ListNode') ? listOf : kind.startsWith('TreeNode') ? treeOf : null;
    if (make === null) return value;
    return kind.includes('[]') ? value.map(item => Array.isArray(item) ? make(item) : item) : make(value);
}

// Of each parameter the kind that a comment before the function documents, `@param {ListNode} head`, or else that of its name,
// among the kinds of node that the problem speaks of.
function kindsOf(source, name, nodes) {
    const written = `(?:(?:var|let|const)\\s+${name}\\s*=|function\\s+${name}\\b|\\b${name}\\s*\\([^)]*\\)\\s*\\{)`;
    const at = Math.max(source.search(new RegExp(written)), 0);
    const comment = source.slice(0, at).match(/\/\*\*(?:(?!\*\/)[^])*\*\/\s*(?:async\s+)?$/);
    if (comment) return [...comment[0].matchAll(/@param\s*\{([^}]*)\}/g)].map(found => found[1].trim());
    const parameters = source.slice(at).match(/\(([^)]*)\)|(\w+)\s*=>/);
    const names = parameters ? (parameters[1] ?? parameters[2]).split(',') : [];
    return names.map(name => name.trim()).map(name => {
        const kind = nodes.find(kind => USUAL_NAMES[kind].test(name));
        return kind && name === 'lists' ? `${kind}[]` : kind;
    });
}

function isNode(value, ...sides) {
    return value !== null && typeof value === 'object' && 'val' in value && sides.some(side => side in value);
}

function listValues(node) {
    const values = [];
    for (; node; node = node.next) {
        if (values.length === MOST_NODES) throw new RangeError('the list has no end');
        values.push(node.val);
    }
    return values;
}

function treeValues(root) {
    const values = [], level = [root];
    for (let first = 0; first < level.length; first++) {
        if (values.length === MOST_NODES) throw new RangeError('the tree has no end');
        const node = level[first];
        values.push(node ? node.val : null);
        if (node) level.push(node.left, node.right);
    }
    while (values.length && values[values.length - 1] === null) values.pop();
    return values;
}

function encode(value) {
    switch (typeof value) {
    case 'undefined': return 'null';
    case 'boolean': return String(value);
    case 'string': return JSON.stringify(value);
    case 'number':
        if (Object.is(value, -0)) return '0';
        return Number.isFinite(value) ? String(value) : `{"float":"${String(value).toLowerCase().replace('infinity', 'inf')}"}`;
    case 'bigint': return `{"int":"${value < 0n ? '-' : ''}0x${(value < 0n ? -value : value).toString(16)}"}`;
    case 'object': break;
    default: throw new TypeError(`a ${typeof value} is no plain data`);
    }
    if (value === null) return 'null';
    if (Array.isArray(value) || ArrayBuffer.isView(value)) return `[${Array.from(value, encode).join(',')}]`;
    if (isNode(value, 'next')) return `{"ListNode":${encode(listValues(value))}}`;
    if (isNode(value, 'left', 'right')) return `{"TreeNode":${encode(treeValues(value))}}`;
    if (value instanceof Set) return `{"set":[${Array.from(value, encode).join(',')}]}`;
    const pairs = value instanceof Map ? [...value] : Object.entries(value);
    return `{"dict":[${pairs.map(([name, item]) => `[${encode(name)},${encode(item)}]`).join(',')}]}`;
}

// An ES module as a script that declares what the module exports.
function asScript(source) {
    return source
        .replace(/^[ \t]*export\s+(?:default\s+)?(?=(?:async\s+)?function\b|class\b|const\b|let\b|var\b)/gm, '')
        .replace(/^[ \t]*export\s+default\s+\w+\s*;?|^[ \t]*export\s*\{[^}]*\}\s*;?/gm, '');
}

function find(name, method) {
    // Constants of a script are seen by other scripts, though they are no properties of the global object.
    const solution = name === null ? method : name;
    const found = vm.runInThisContext(`typeof ${solution} === 'undefined' ? undefined : ${solution}`);
    if (name === null || found === undefined) return found;
    const object = new found();
    return typeof object[method] === 'function' ? object[method].bind(object) : undefined;
}

async function main() {
    const { name, inPlace, isVoid, nodes } = JSON.parse(fs.readFileSync(`${__dirname}/call.json`, 'utf8'));
    const source = asScript(fs.readFileSync(`${__dirname}/solution.js`, 'utf8'));
    const given = decode(JSON.parse(fs.readFileSync(ARGUMENTS, 'utf8')));
    Object.assign(globalThis, { ListNode, TreeNode, require, module, exports });
    const { writeSync } = fs;
    Object.defineProperty(process, 'stdout', { get: () => process.stderr });
    vm.runInThisContext(source, { filename: 'solution.js' });
    const method = name.split('.').pop();
    const called = (name.includes('.') ? find(name.split('.')[0], method) : undefined) || find(null, method)
        || module.exports[method] || find('Solution', method);
    if (typeof called !== 'function') throw new ReferenceError(`the program does not define '${name}'`);
    const kinds = kindsOf(source, method, nodes);
    const values = given.map((value, place) => asNodes(value, kinds[place]));
    let result = await called(...values);
    if (inPlace && values.length && (result === undefined || isVoid)) result = values[0];
    const bytes = Buffer.from(`{"value":${encode(result)}}`);
    for (let sent = 0; sent < bytes.length;) sent += writeSync(RESULT, bytes, sent);
}

main().catch(error => {
    console.error(error);
    process.exit(1);
});
