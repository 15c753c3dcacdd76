import type { Json } from '@overture/contract/document/schemas.ts'

const notice = '// Written by `npm run openapi` from packages/contract. Change the contract, not this file.\n\n'
const componentPrefix = '#/components/schemas/'

/** The models of the document as TypeScript, one exported type each, in the order of their names. */
export function typesText(models: Readonly<Record<string, Json>>): string {
  const all = Object.entries(models).map(([name, model]) => declaration(name, model))
  return `${notice}${all.join('\n')}`
}

export function header(): string {
  return notice
}

function declaration(name: string, model: Json): string {
  const comment = jsDoc(model['description'], '')
  if (isPlainObject(model)) return `${comment}export interface ${name} ${objectText(model, '')}\n`
  return `${comment}export type ${name} = ${typeText(model, '')}\n`
}

/** A schema as a TypeScript type; `indent` is the indent of its line. */
export function typeText(schema: Json, indent: string): string {
  const { $ref, enum: values, anyOf, oneOf, type } = schema
  if (typeof $ref === 'string') return $ref.slice(componentPrefix.length)
  if ('const' in schema) return JSON.stringify(schema['const'])
  // A boolean in a query.
  if (Array.isArray(values) && values.join() === 'true,false') return 'boolean'
  if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)))
  const branches = (anyOf ?? oneOf) as Json[] | undefined
  if (branches !== undefined) return union(branches.map((branch) => typeText(branch, indent)))
  if (Array.isArray(type)) return union(type.map((one: unknown) => typeText({ ...schema, type: one }, indent)))
  switch (type) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return arrayText(typeText((schema['items'] ?? {}) as Json, indent))
    case 'object':
      return objectText(schema, indent)
    default:
      return 'unknown'
  }
}

function objectText(schema: Json, indent: string): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
  const required = new Set((schema['required'] ?? []) as string[])
  const inner = `${indent}  `
  const fields = properties.map(([name, property]) => {
    const mark = required.has(name) ? '' : '?'
    return `${jsDoc(property['description'], inner)}${inner}${name}${mark}: ${typeText(property, inner)}`
  })
  const more = schema['additionalProperties']
  if (more !== undefined && more !== false) {
    const value = more === true ? 'unknown' : typeText(more as Json, inner)
    if (fields.length === 0) return `Record<string, ${value}>`
    fields.push(`${inner}[field: string]: unknown`)
  }
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('\n')}\n${indent}}`
}

function isPlainObject(schema: Json): boolean {
  return schema['type'] === 'object' && Object.keys((schema['properties'] ?? {}) as object).length > 0
}

function union(members: readonly string[]): string {
  // `string` already includes all string literals.
  const needed = members.includes('string') ? members.filter((member) => !member.startsWith('"')) : members
  return [...new Set(needed)].join(' | ')
}

function arrayText(item: string): string {
  return item.includes(' ') ? `Array<${item}>` : `${item}[]`
}

/** Returns the empty string if there is no text. */
export function jsDoc(text: unknown, indent: string): string {
  if (typeof text !== 'string' || text === '') return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`
}
