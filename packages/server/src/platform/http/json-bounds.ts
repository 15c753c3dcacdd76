import type { ValidationIssue } from '@overture/contract/errors.ts'
import { formatPath } from './issues.ts'

const depthMax = 32
// The longest list of any operation has 1,000 leads. A schema would check every item of a longer one.
const itemsMax = 10_000
/** More than the values of 1,000 leads with 100 variables each. */
const valuesMax = 200_000

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openArray = 0x5b
const closeArray = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/** For each open level: the number of commas so far, and the byte range of the last name. */
interface Levels {
  depth: number
  commas: Uint32Array
  isArray: Uint8Array
  nameStart: Uint32Array
  nameEnd: Uint32Array
}

/**
 * Finds a JSON text that is too deep, too long or too large to parse, in one pass over its bytes. Parsing would take many times
 * as long, and memory for each value. For invalid JSON it may find nothing, but the parser then stops there too.
 */
export function exceededBounds(bytes: Uint8Array): ValidationIssue | null {
  const levels: Levels = {
    depth: 0,
    commas: new Uint32Array(depthMax + 1),
    isArray: new Uint8Array(depthMax + 1),
    nameStart: new Uint32Array(depthMax + 1),
    nameEnd: new Uint32Array(depthMax + 1),
  }
  let values = 0
  let stringStart = 0
  let stringEnd = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      stringStart = at
      at = endOfString(bytes, at)
      stringEnd = at + 1
    } else if (byte === openArray || byte === openObject) {
      if (levels.depth === depthMax) return tooDeep()
      openLevel(levels, byte === openArray)
    } else if (byte === closeArray || byte === closeObject) {
      if (levels.depth === 0) return null
      levels.depth--
    } else if (byte === comma) {
      if (++values > valuesMax) return tooMany(valuesMax, 'values', '')
      if (((levels.commas[levels.depth] as number) += 1) >= itemsMax)
        return tooMany(itemsMax, 'items', pathOfLevel(bytes, levels))
    } else if (byte === colon) {
      levels.nameStart[levels.depth] = stringStart
      levels.nameEnd[levels.depth] = stringEnd
    }
  }
  return null
}

function openLevel(levels: Levels, isArray: boolean): void {
  levels.depth++
  levels.commas[levels.depth] = 0
  levels.isArray[levels.depth] = isArray ? 1 : 0
  levels.nameEnd[levels.depth] = 0
}

/** The position of the closing quote of the string that begins at `start`; the end of the text if there is none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

function pathOfLevel(bytes: Uint8Array, { depth, commas, isArray, nameStart, nameEnd }: Levels): string {
  const path: PropertyKey[] = []
  for (let level = 1; level < depth; level++) {
    if (isArray[level] === 1) path.push(commas[level] as number)
    else path.push(readName(bytes.subarray(nameStart[level], nameEnd[level])))
  }
  return formatPath(path)
}

function readName(bytes: Uint8Array): string {
  try {
    return String(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return '\ufffd'
  }
}

function tooDeep(): ValidationIssue {
  return { path: '', rule: 'depth', message: `Nested more than ${depthMax} levels deep.` }
}

function tooMany(max: number, what: string, path: string): ValidationIssue {
  return { path, rule: 'max', message: `Contains more than ${max} ${what}.` }
}
