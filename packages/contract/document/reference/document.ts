/** The parts of an OpenAPI document that the pages of the reference use. */
export interface ReferenceDocument {
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>
  webhooks: Readonly<Record<string, { post: DocumentOperation }>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    responses: Readonly<Record<string, DocumentResponse>>
  }
}

export interface DocumentOperation {
  summary: string
  description: string
  tags: readonly string[]
  security?: readonly unknown[]
  parameters?: readonly Parameter[]
  requestBody?: { description?: string; content: Content }
  responses: Readonly<Record<string, DocumentResponse & { $ref?: string }>>
  'x-required-scope'?: string
  'x-role'?: string
  'x-sdk-method': string
}

export interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: Schema
}

export interface DocumentResponse {
  description: string
  content?: Content
}

type Content = Readonly<Record<string, Media>>

interface Media {
  schema?: Schema
  example?: unknown
  examples?: Readonly<Record<string, { value: { error: { code: string; message: string } } }>>
}

export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  format?: string
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** An operation with its method and path. */
export interface Operation extends DocumentOperation {
  method: string
  path: string
}

export function listOperations({ paths }: ReferenceDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
}

/** The name of the schema that is referred to, if it is a reference. */
export function schemaName(schema: Schema): string | undefined {
  return schema.$ref?.split('/').at(-1)
}
