import { readFileSync } from 'node:fs'

export interface ExampleApi {
  fetch(this: void, url: string, init: RequestInit): Promise<Response>
  /** The called operations, in order. */
  asked: string[]
}

interface Answers {
  content?: { 'application/json'?: { example?: object } }
}

interface Operation {
  operationId: string
  responses: Record<string, Answers>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
}

/**
 * An API that responds to each operation with the example of the OpenAPI document. Its key has every permission. `change` may return
 * a different response.
 */
export function createExampleApi(
  change: (operationId: string, example: object) => object = (_, example) => example,
): ExampleApi {
  const asked: string[] = []
  const document = JSON.parse(
    readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'),
  ) as Document
  const known = Object.entries(document.paths).map(([path, operations]) => ({
    operations,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    // Matches fixed parts before parameters: `launch` is not a campaign's id.
    parameters: path.split('{').length,
  }))
  return {
    asked,
    async fetch(url, { method = 'GET' }) {
      const { pathname, searchParams } = new URL(url)
      const [found] = known
        .filter(({ operations, pattern }) => operations[method.toLowerCase()] !== undefined && pattern.test(pathname))
        .toSorted((one, other) => one.parameters - other.parameters)
      const operation = found?.operations[method.toLowerCase()]
      if (operation === undefined)
        return Response.json({ error: { code: 'NOT_FOUND', message: 'Not found.' } }, { status: 404 })
      asked.push(operation.operationId)
      const [status, answer] = Object.entries(operation.responses).find(([code]) => code.startsWith('2'))!
      const headers = { 'x-overture-scopes': 'read write admin', 'x-overture-role': 'owner' }
      const example = answer.content?.['application/json']?.example ?? {}
      // Every list has two pages.
      const body = searchParams.has('cursor') ? { ...example, nextCursor: null } : example
      return Response.json(change(operation.operationId, body), { status: Number(status), headers })
    },
  }
}
