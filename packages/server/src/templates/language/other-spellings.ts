import { findField } from '@overture/ground/text/merge-tag-names.ts'
import { plain } from '../dialect.ts'
import { findCustomName, isStandard, toStandardName } from '@overture/ground/text/variable-names.ts'

/** A place in a text that is written in the way of another product. */
interface OtherSpelling {
  at: [number, number]
  /** The same in our spelling; null if it can't be written as one tag. */
  replacement: string | null
  message: string
}

const spellingsMax = 20
const quotedMax = 60
const doubleBraces = /\{\{([^{}]{0,2000})\}\}/g
const singleBraces = /\{([^{}]{1,1000})\}/g
const starred = /\*\|\s*([A-Za-z][\w :-]{0,63}?)\s*\|\*/g
const bracketed = /(?<!!)\[([A-Za-z][\w -]{0,63})\](?!\()/g
const percented = /%([A-Za-z][\w -]{0,63})%/g
const notText =
  /\{\{[^{}]{0,2000}\}\}|\{%[^%]{0,2000}%\}|<style\b[^]{0,5000}?<\/style>|<script\b[^]{0,5000}?<\/script>/gi
const writtenName = /^[\p{L}_][\p{L}\p{N}_ .-]{0,63}$/u

/**
 * Finds tags in the spelling of other products, each with its replacement. A name in single braces, square brackets or percent signs
 * is only found if it is a field of leads or one of these custom variables, because such signs are also used in ordinary text.
 */
export function otherSpellings(text: string, customNames: readonly string[]): OtherSpelling[] {
  const shown = text.replaceAll(notText, (found) => ' '.repeat(found.length))
  const marked = [starred, bracketed, percented].flatMap((pattern) =>
    Array.from(shown.matchAll(pattern), (match) => fieldSpelling(match, customNames, pattern === starred)),
  )
  const found = [
    ...Array.from(text.matchAll(doubleBraces), (match) => tagSpelling(match, customNames)),
    ...Array.from(shown.matchAll(singleBraces), (match) => braceSpelling(text, match, customNames)),
    ...marked,
  ].filter((one) => one !== null)
  return found.toSorted((a, b) => a.at[0] - b.at[0]).slice(0, spellingsMax)
}

/** `{{firstName|there}}`, `{{First Name}}` and `{{RANDOM|Hi|Hello}}`. */
function tagSpelling(match: RegExpExecArray, customNames: readonly string[]): OtherSpelling | null {
  const [whole, inner = ''] = match
  const [written = '', ...others] = inner.split('|').map((part) => part.trim())
  if (others.some(isFilter) || !writtenName.test(written)) return null
  const at = matchSpan(match)
  if (others.length > 1) {
    const options = /^(?:random|spin)$/i.test(written) ? others : [written, ...others]
    return { at, ...toSpin(options), message: sentAs(whole, `Alternatives are written ${spinExample(options)}.`) }
  }
  const name = correctName(written, customNames)
  const [fallback] = others
  if (fallback === undefined) {
    if (/^[\w.]+$/.test(written)) return null
    return { at, replacement: `{{ ${name} }}`, message: `A field is written {{ ${name} }}.` }
  }
  const quoted = quotedText(fallback.replace(/^(["'])(.*)\1$/, '$2'))
  const replacement = quoted === null ? null : `{{ ${name} | default: ${quoted} }}`
  return { at, replacement, message: `A fallback is written ${replacement ?? `{{ ${name} | default: "there" }}`}.` }
}

/** `{first_name}` and `{Cheers|Best}`. */
function braceSpelling(text: string, match: RegExpExecArray, customNames: readonly string[]): OtherSpelling | null {
  const at = matchSpan(match)
  const whole = text.slice(...at)
  const options = whole.slice(1, -1).split('|')
  if (!match[0].includes('|')) return fieldSpelling(match, customNames, false)
  return { at, ...toSpin(options), message: sentAs(whole, `Alternatives are written ${spinExample(options)}.`) }
}

function fieldSpelling(
  match: RegExpExecArray,
  customNames: readonly string[],
  isAlwaysField: boolean,
): OtherSpelling | null {
  const [whole, written = ''] = match
  const name = knownName(written.trim(), customNames) ?? (isAlwaysField ? plainName(written) : null)
  if (name === null) return null
  const replacement = `{{ ${name} }}`
  return { at: matchSpan(match), replacement, message: sentAs(whole, `A field is written ${replacement}.`) }
}

function correctName(written: string, customNames: readonly string[]): string {
  return knownName(written, customNames) ?? plainName(written)
}

function knownName(written: string, customNames: readonly string[]): string | null {
  const joined = written.replaceAll(/[ -]+/g, '_')
  if (!writtenName.test(written)) return null
  if (isStandard(joined)) return toStandardName(joined)
  return findCustomName(joined, customNames) ?? findField(written)
}

function plainName(written: string): string {
  return written.trim().replaceAll(/[^A-Za-z0-9_.]+/g, '_')
}

function toSpin(options: readonly string[]): { replacement: string | null } {
  const quoted = quotedText(options.map((option) => option.trim()).join('|'))
  return { replacement: quoted === null ? null : `{{ ${quoted} | spin }}` }
}

function spinExample(options: readonly string[]): string {
  const { replacement } = toSpin(options)
  return replacement === null || replacement.length > quotedMax ? '{{ "Hi|Hello" | spin }}' : replacement
}

/** The text as a literal of Liquid, which has no escapes; null if it can't be one. */
function quotedText(text: string): string | null {
  const quote = ['"', "'"].find((mark) => !text.includes(mark))
  return quote === undefined || /[{}\\]/.test(text) ? null : quote + text + quote
}

function isFilter(written: string): boolean {
  const name = /^[A-Za-z_]\w*/.exec(written)?.[0] ?? ''
  return Object.hasOwn(plain.engine.filters, name) && (name === written || written.slice(name.length).trim()[0] === ':')
}

function sentAs(whole: string, advice: string): string {
  const cut = whole.length > quotedMax ? `${whole.slice(0, quotedMax)}…` : whole
  return `${cut} is sent unchanged. ${advice}`
}

function matchSpan(match: RegExpExecArray): [number, number] {
  return [match.index, match.index + match[0].length]
}
