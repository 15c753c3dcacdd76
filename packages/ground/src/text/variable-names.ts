import { isForTexts, profileFields } from '@overture/contract/campaigns/lead-fields.ts'

type Scope = Record<string, unknown>

const customRoot = 'customVariables'
const senderRoot = 'sender'
const senderFields = ['email', 'fromName', 'signature']
/** Fields of a lead that a template can use. */
const leadNames = ['email', ...profileFields.filter(isForTexts)]
const messageNames = ['unsubscribeUrl', 'meetingUrl']

/** The names that have a meaning in every template, whatever custom variables a lead has. */
export const standardNames: readonly string[] = [
  ...leadNames,
  ...senderFields.map((field) => `${senderRoot}.${field}`),
  ...messageNames,
]

const roots = byFolded([...leadNames, ...messageNames, senderRoot, customRoot])
const senderFieldsFolded = byFolded(senderFields)

/** A name without what does not count in it: case and underscores. */
export function foldedName(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

/** The name as the standard variable that it means is written. A name that means no standard variable is returned unchanged. */
export function toStandardName(written: string): string {
  const { first, rest } = splitName(written)
  const root = roots.get(foldedName(first))
  if (root === undefined) return written
  return root + (root === senderRoot ? senderRest(rest) : rest)
}

/** Whether the name begins with a standard variable or with `customVariables`. */
export function isStandard(written: string): boolean {
  return roots.has(foldedName(splitName(written).first))
}

/** The custom variable that a name means: the one with exactly this name, else the first by name that differs in case or underscores. */
export function findCustomName(written: string, names: readonly string[]): string | undefined {
  if (names.includes(written)) return written
  const folded = foldedName(written)
  return names.filter((name) => foldedName(name) === folded).toSorted()[0]
}

/**
 * Adds a value to the scope for each of these names that is another spelling of a standard variable, or names a custom variable. If a
 * name means both, the standard variable is used, even if it has no value.
 */
export function withNames(scope: Scope, names: readonly string[]): Scope {
  return names.reduce(withName, scope)
}

function withName(scope: Scope, written: string): Scope {
  const { first, rest } = splitName(written)
  const root = roots.get(foldedName(first))
  if (root === senderRoot) return withSender(scope, first, rest)
  if (Object.hasOwn(scope, first)) return scope
  if (root !== undefined) return Object.hasOwn(scope, root) ? { ...scope, [first]: scope[root] } : scope
  const custom = objectIn(scope, customRoot)
  const name = findCustomName(first, Object.keys(custom))
  return name === undefined ? scope : { ...scope, [first]: custom[name] }
}

function withSender(scope: Scope, first: string, rest: string): Scope {
  const sender = { ...objectIn(scope, senderRoot), ...objectIn(scope, first) }
  const field = rest.slice(1)
  const meant = senderRest(rest).slice(1)
  if (field !== meant && !Object.hasOwn(sender, field) && Object.hasOwn(sender, meant)) sender[field] = sender[meant]
  return { ...scope, [first]: sender }
}

function senderRest(rest: string): string {
  const field = senderFieldsFolded.get(foldedName(rest.slice(1)))
  return field === undefined ? rest : `.${field}`
}

function objectIn(scope: Scope, name: string): Scope {
  const value = Object.hasOwn(scope, name) ? scope[name] : undefined
  return typeof value === 'object' && value !== null ? (value as Scope) : {}
}

function splitName(written: string): { first: string; rest: string } {
  const end = /[.[]/.exec(written)?.index ?? written.length
  return { first: written.slice(0, end), rest: written.slice(end) }
}

function byFolded(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [foldedName(name), name]))
}
