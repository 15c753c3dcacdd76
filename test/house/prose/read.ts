import { parseSync } from 'oxc-parser'
import type { Prose } from './rules.ts'

/** The prose of a file, by the kind of its name: comments and names of tests, messages, or a page. */
export function readProse(path: string, text: string): Prose[] {
  if (path.endsWith('.md')) return pageProse(text)
  if (path.endsWith('.sql')) return lineComments(text, /^\s*--(.*)$/)
  if (path.endsWith('.css')) return blockComments(text)
  if (!/\.[a-z]*[jt]sx?$/.test(path)) return lineComments(text, /^\s*#(?!!)(.*)$/)
  const { program, comments } = parseSync(path, text)
  const lineOf = lineFinder(text)
  const strings: Prose[] = []
  if (/\.test\.tsx?$/.test(path)) collect(program, isTestCall, ({ arguments: [name] }) => add('test name', name))
  else if (/^packages\/(?!testing\/)/.test(path)) collect(program, isMessage, (node) => add('message', node))
  return [...joined(comments.map(({ value, start }) => ({ value, line: lineOf(start) }))), ...strings]

  function add(kind: Prose['kind'], node: unknown): void {
    const words = readString(node)
    if (words !== null) strings.push({ line: lineOf(words.start), kind, text: words.value })
  }
}

interface Comment {
  value: string
  line: number
}

/** Line comments that follow one another are one piece. */
function joined(comments: readonly Comment[]): Prose[] {
  const pieces: Prose[] = []
  let lastLine = -1
  for (const { value, line } of comments) {
    const text = value
      .split('\n')
      .map((part) => part.replace(/^\s*\*? ?/, ''))
      .join(' ')
      .trim()
    // Directives of tools are not prose.
    if (/^(?:oxlint|eslint|@ts-|#|@vite|#__|v8 ignore)/.test(text)) continue
    const last = pieces.at(-1)
    if (last !== undefined && line === lastLine + 1) last.text += ` ${text}`
    else pieces.push({ line, kind: 'comment', text })
    lastLine = line + value.split('\n').length - 1
  }
  return pieces
}

/** The comments of SQL, YAML, shells and other languages whose comments end with the line. */
function lineComments(text: string, comment: RegExp): Prose[] {
  const lines = text.split('\n').map((line, index) => ({ value: comment.exec(line)?.[1] ?? null, line: index + 1 }))
  return joined(lines.flatMap(({ value, line }) => (value === null ? [] : [{ value, line }])))
}

function blockComments(text: string): Prose[] {
  const lineOf = lineFinder(text)
  const comments = [...text.matchAll(/\/\*([^]*?)\*\//g)]
  return joined(comments.map(({ 1: value = '', index }) => ({ value, line: lineOf(index) })))
}

/** Paragraphs and list items; code, tables and front matter are left out. */
function pageProse(text: string): Prose[] {
  const pieces: Prose[] = []
  let isCode = false
  let current: Prose | null = null
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    const isProse = !isCode && !/^\s*(?:```|~~~|\||<|---)/.test(line) && line.trim() !== ''
    if (!isProse) current = null
    else if (current === null || /^\s*(?:[-*#>]|\d+\.)\s/.test(line)) {
      current = { line: index + 1, kind: 'page', text: line.replace(/^\s*(?:[-*#>]+|\d+\.)\s*/, '') }
      pieces.push(current)
    } else current.text += ` ${line.trim()}`
  }
  return pieces
}

interface SyntaxNode {
  type: string
  start: number
  [key: string]: unknown
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

interface TestCall extends SyntaxNode {
  arguments: unknown[]
}

/** `test('…')`, `describe('…')`, `it('…')` and what they return, as `test.each(…)('…')`. */
function isTestCall(node: SyntaxNode): node is TestCall {
  if (node.type !== 'CallExpression') return false
  let callee = node['callee']
  while (isNode(callee) && callee.type !== 'Identifier') callee = callee['callee'] ?? callee['object'] ?? callee['tag']
  return isNode(callee) && ['test', 'it', 'describe'].includes(String(callee['name']))
}

/** Strings of three words or more are texts for people: errors, descriptions, words of the console and of the command line. */
function isMessage(node: SyntaxNode): node is SyntaxNode {
  const words = readString(node)?.value.match(/[A-Za-z'’]+(?=[\s.,;:!?]|$)/g) ?? []
  return words.length >= 3
}

function readString(node: unknown): { value: string; start: number } | null {
  if (!isNode(node)) return null
  if (node.type === 'Literal' && typeof node['value'] === 'string') return { value: node['value'], start: node.start }
  if (node.type !== 'TemplateLiteral') return null
  const quasis = node['quasis'] as { value: { raw: string } }[]
  return { value: quasis.map(({ value }) => value.raw).join(' x '), start: node.start }
}

function collect<Node extends SyntaxNode>(
  root: unknown,
  matches: (node: SyntaxNode) => node is Node,
  found: (node: Node) => void,
): void {
  const open: unknown[] = [root]
  while (open.length > 0) {
    const value = open.pop()
    if (Array.isArray(value)) open.push(...(value as unknown[]).toReversed())
    else if (isNode(value)) {
      if (matches(value)) found(value)
      open.push(
        ...Object.values(value)
          .filter((one) => typeof one === 'object')
          .toReversed(),
      )
    }
  }
}

function lineFinder(text: string): (at: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (at) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}
