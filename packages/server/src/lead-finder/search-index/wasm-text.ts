/** Assembles a part of WebAssembly's text format: enough for a small kernel, so that neither a build step nor a binary file is needed. */
type Expression = string | Expression[]

const valueTypes: Record<string, number> = { i32: 0x7f, v128: 0x7b }

const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]

/** Instructions without an immediate argument. */
const plain: Record<string, number[]> = {
  'i32.eqz': [0x45],
  'i32.ge_u': [0x4f],
  'i32.ctz': [0x68],
  'i32.add': [0x6a],
  'i32.sub': [0x6b],
  'i32.and': [0x71],
  'i32.or': [0x72],
  'i32.xor': [0x73],
  'i32.shl': [0x74],
  'i32.shr_u': [0x76],
  'memory.copy': [0xfc, 0x0a, 0, 0],
  'memory.fill': [0xfc, 0x0b, 0],
  'i8x16.splat': [0xfd, 0x0f],
  'i32x4.splat': [0xfd, 0x11],
  'i8x16.le_u': [0xfd, 0x2a],
  'i8x16.ge_u': [0xfd, 0x2c],
  'i32x4.le_s': [0xfd, 0x3d],
  'i32x4.ge_s': [0xfd, 0x3f],
  'v128.and': [0xfd, 0x4e],
  'v128.or': [0xfd, 0x50],
  'i8x16.popcnt': [0xfd, 0x62],
  'i8x16.bitmask': [0xfd, 0x64],
  'i8x16.narrow_i16x8_s': [0xfd, 0x65],
  'i16x8.extadd_pairwise_i8x16_u': [0xfd, 0x7d],
  'i32x4.extadd_pairwise_i16x8_u': [0xfd, 0x7f],
  'i16x8.narrow_i32x4_s': [0xfd, 0x85, 0x01],
  'i32x4.add': [0xfd, 0xae, 0x01],
}

/** Memory instructions, which are followed by alignment 0 (only a hint) and an offset. */
const memory: Record<string, number[]> = {
  'i32.load': [0x28],
  'i32.load8_u': [0x2d],
  'i32.load16_u': [0x2f],
  'i32.store': [0x36],
  'i32.store8': [0x3a],
  'i32.store16': [0x3b],
  'v128.load': [0xfd, 0x00],
  'v128.store': [0xfd, 0x0b],
}

interface Function {
  name: string
  type: number[]
  code: number[]
}

/**
 * Assembles `(module (import "env" "memory" (memory 0)) (func (export "name") (param $a i32)… …)…)`: functions of
 * i32 and v128, folded instructions, block, loop, if–then, br and br_if. Throws on anything else.
 */
export function assemble(text: string): Uint8Array<ArrayBuffer> {
  const [, ...fields] = parse(text) as Expression[][]
  const functions = fields.filter((field) => field[0] === 'func').map(assembleFunction)
  const exported = functions.map(({ name }, index) => [...nameBytes(name), 0x00, ...unsigned(index)])
  const bodies = functions.map(({ code }) => [...unsigned(code.length), ...code])
  const imported = [...nameBytes('env'), ...nameBytes('memory'), 0x02, 0x00, ...unsigned(0)]
  return Uint8Array.from([
    ...header,
    ...section(
      1,
      functions.map(({ type }) => type),
    ),
    ...section(2, [imported]),
    ...section(
      3,
      functions.map((_, index) => unsigned(index)),
    ),
    ...section(7, exported),
    ...section(10, bodies),
  ])
}

function assembleFunction(field: Expression[]): Function {
  const of = (kind: string) => field.filter((part): part is string[] => Array.isArray(part) && part[0] === kind)
  const parameters = of('param')
  const results = of('result').map(([, type]) => valueTypes[type!]!)
  const locals = of('local')
  const names = new Map([...parameters, ...locals].map(([, name], index) => [name!, index]))
  const types = (list: string[][]) => list.map(([, , type]) => valueTypes[type!]!)
  const headers = new Set(['export', 'param', 'result', 'local'])
  const body = field.slice(1).filter((part) => !headers.has(String((part as Expression[])[0])))
  const code = body.flatMap((part) => instruction(part, { names, labels: [] }))
  const declared = types(locals).flatMap((type) => [1, type])
  return {
    name: of('export')[0]![1]!.slice(1, -1),
    type: [0x60, ...unsigned(parameters.length), ...types(parameters), ...unsigned(results.length), ...results],
    code: [...unsigned(locals.length), ...declared, ...code, 0x0b],
  }
}

interface Scope {
  names: ReadonlyMap<string, number>
  /** Outermost first. A branch counts from the innermost. */
  labels: readonly string[]
}

function instruction(part: Expression, scope: Scope): number[] {
  const [name, ...rest] = part as [string, ...Expression[]]
  const nested = (parts: Expression[], inner = scope) => parts.flatMap((each) => instruction(each, inner))
  switch (name) {
    case 'block':
    case 'loop': {
      const [label, ...body] = rest
      const inner = { ...scope, labels: [...scope.labels, String(label)] }
      return [name === 'block' ? 0x02 : 0x03, 0x40, ...nested(body, inner), 0x0b]
    }
    case 'if': {
      const [condition, then] = rest as [Expression, Expression[]]
      const inner = { ...scope, labels: [...scope.labels, ''] }
      return [...instruction(condition, scope), 0x04, 0x40, ...nested(then.slice(1), inner), 0x0b]
    }
    case 'br':
    case 'br_if': {
      const depth = scope.labels.length - 1 - scope.labels.lastIndexOf(String(rest[0]))
      return [...nested(rest.slice(1)), name === 'br' ? 0x0c : 0x0d, ...unsigned(depth)]
    }
    case 'local.get':
      return [0x20, ...unsigned(local(rest[0], scope))]
    case 'local.set':
      return [...nested(rest.slice(1)), 0x21, ...unsigned(local(rest[0], scope))]
    case 'i32.const':
      return [0x41, ...signed(Number(rest[0]))]
    case 'i32x4.extract_lane':
      return [...nested(rest.slice(1)), 0xfd, 0x1b, Number(rest[0])]
    default:
      return [...nested(rest.filter((each) => Array.isArray(each))), ...operation(name, rest)]
  }
}

function operation(name: string, rest: readonly Expression[]): number[] {
  if (plain[name]) return plain[name]
  const code = memory[name]
  if (!code) throw new Error(`no instruction ${name}`)
  const offset = rest.find((each): each is string => typeof each === 'string')?.replace('offset=', '') ?? '0'
  return [...code, 0, ...unsigned(Number(offset))]
}

function local(name: Expression | undefined, scope: Scope): number {
  const index = scope.names.get(String(name))
  if (index === undefined) throw new Error(`no local ${String(name)}`)
  return index
}

function parse(text: string): Expression {
  const stack: Expression[][] = [[]]
  for (const [token] of text.replace(/;;.*$/gm, '').matchAll(/[()]|"[^"]*"|[^\s()]+/g)) {
    if (token === '(') stack.push([])
    else if (token === ')') {
      const done = stack.pop()!
      stack.at(-1)!.push(done)
    } else stack.at(-1)!.push(token)
  }
  return stack[0]![0]!
}

function section(id: number, items: number[][]): number[] {
  const content = [...unsigned(items.length), ...items.flat()]
  return [id, ...unsigned(content.length), ...content]
}

function nameBytes(name: string): number[] {
  return [...unsigned(name.length), ...Array.from(name, (letter) => letter.charCodeAt(0))]
}

/** LEB128 with seven bits per byte. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: number): number[] {
  const rest = value >> 7
  const isLast = (rest === 0 && (value & 0x40) === 0) || (rest === -1 && (value & 0x40) !== 0)
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(rest)]
}
