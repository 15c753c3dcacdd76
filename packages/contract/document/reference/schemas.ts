import { schemaName, type Schema } from './document.ts'

/** A link from the page to the place that describes an object, or null if no page describes it. */
export type LinkTo = (name: string) => string | null

/** The type of a field as text, with links to the objects in it. */
export function describeType(schema: Schema, linkTo: LinkTo): string {
  const name = schemaName(schema)
  if (name !== undefined) {
    const link = linkTo(name)
    return link === null ? `\`${name}\`` : `[${name}](${link})`
  }
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ')
  const branches = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (branches !== undefined) return branches.map((branch) => describeType(branch, linkTo)).join(' or ')
  if (schema.items !== undefined) return `list of ${describeType(schema.items, linkTo)}`
  if (typeof schema.additionalProperties === 'object')
    return `map to ${describeType(schema.additionalProperties, linkTo)}`
  const types = schema.type === undefined ? ['anything'] : [schema.type].flat()
  return types.map((type) => (type === 'string' && schema.format !== undefined ? schema.format : type)).join(' or ')
}

/** The constraints of a value besides its type: bounds and the default. */
export function describeBounds(schema: Schema): string {
  const bounds = [
    between(schema.minimum, schema.maximum, ''),
    between(schema.minLength, schema.maxLength, ' characters'),
    between(schema.minItems, schema.maxItems, ' items'),
    schema.default === undefined ? '' : `${code(schema.default)} unless given`,
  ]
  return bounds.filter((one) => one !== '').join('; ')
}

// The bounds of a 53-bit integer are left out, since every number has them.
function between(least: number | undefined, most: number | undefined, of: string): string {
  const from = least === undefined || least <= Number.MIN_SAFE_INTEGER ? undefined : least
  const to = most === undefined || most >= Number.MAX_SAFE_INTEGER ? undefined : most
  if (from !== undefined && to !== undefined) return from === to ? `${from}${of}` : `${from} to ${to}${of}`
  if (from !== undefined) return from === 0 ? '' : `at least ${from}${of}`
  return to === undefined ? '' : `at most ${to}${of}`
}

/** A row for each field of an object. For a choice of objects, the rows of each object. */
export function fieldsTable(schema: Schema, linkTo: LinkTo): string {
  const branches = schema.oneOf ?? schema.anyOf
  if (branches !== undefined && branches.some((branch) => branch.properties !== undefined))
    return branches.map((branch) => fieldsTable(branch, linkTo)).join('\n\nor\n\n')
  if (schema.properties === undefined) return `${describeType(schema, linkTo)}.`
  const required = new Set(schema.required)
  const rows = Object.entries(schema.properties).map(([name, field]) => [
    `\`${name}\`${required.has(name) ? '' : '?'}`,
    cell(describeType(field, linkTo)),
    cell([field.description ?? '', describeBounds(field)].filter((one) => one !== '').join(' ')),
  ])
  const columns = rows.some(([, , description]) => description !== '') ? 3 : 2
  const head = [['field', 'type', ''], ['---', '---', '---'], ...rows]
  return head.map((row) => `| ${row.slice(0, columns).join(' | ')} |`).join('\n')
}

/** Escapes a text for a cell of a table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value).replaceAll('"', '')}\``
}

/** The names that a schema refers to, at any depth, but not the names within the schemas it refers to. */
export function mentionedBy(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = '$ref' in value && typeof value.$ref === 'string' ? [schemaName({ $ref: value.$ref })!] : []
  return [...own, ...Object.values(value).flatMap(mentionedBy)]
}
