import { createHash } from 'crypto'
import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestMethods,
  IWebhookFunctions,
  JsonObject,
} from 'n8n-workflow'
import { NodeApiError, NodeOperationError } from 'n8n-workflow'
import type { Field, Operation } from './operation'

type Functions = IExecuteFunctions | IHookFunctions | IWebhookFunctions

export interface Asked {
  method: IHttpRequestMethods
  path: string
  qs?: IDataObject
  body?: IDataObject
  idempotencyKey?: string
}

const pageItemsMax = 100

/** Calls the API with the credentials. A refusal is shown with the API's own message. */
export async function ask(
  functions: Functions,
  { method, path, qs, body, idempotencyKey }: Asked,
): Promise<IDataObject> {
  const { baseUrl } = await functions.getCredentials('overtureApi')
  try {
    return (await functions.helpers.httpRequestWithAuthentication.call(functions, 'overtureApi', {
      method,
      url: `${(baseUrl as string).replace(/\/+$/, '')}${path}`,
      json: true,
      ...(qs !== undefined && { qs }),
      ...(body !== undefined && { body }),
      ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
    })) as IDataObject
  } catch (error) {
    throw new NodeApiError(functions.getNode(), error as JsonObject)
  }
}

/** Runs one operation for one item. A list is read to its end or to the limit. */
export async function perform(
  functions: IExecuteFunctions,
  operation: Operation,
  index: number,
): Promise<IDataObject[]> {
  const { path, qs, body } = buildRequest(functions, operation, index)
  const { method } = operation
  if (operation.isList === true) return readPages(functions, { path, qs, index })
  const request: Asked = { method, path, qs }
  if (method !== 'GET') request.body = body
  if (method === 'POST') request.idempotencyKey = buildIdempotencyKey(functions, [index, path, body])
  return [await ask(functions, request)]
}

/** The idempotency key. It is the same for the same content, node and execution, so a repeated call changes nothing. */
export function buildIdempotencyKey(functions: IExecuteFunctions, content: unknown[]): string {
  const what = [functions.getExecutionId(), functions.getNode().id, ...content]
  return `n8n-${createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, 48)}`
}

async function readPages(
  functions: IExecuteFunctions,
  { path, qs, index }: { path: string; qs: IDataObject; index: number },
): Promise<IDataObject[]> {
  const returnAll = functions.getNodeParameter('returnAll', index, false) as boolean
  const most = returnAll ? Infinity : (functions.getNodeParameter('limit', index, 50) as number)
  const results: IDataObject[] = []
  let cursor: string | null = null
  do {
    const limit = Math.min(pageItemsMax, most - results.length)
    const page = await ask(functions, {
      method: 'GET',
      path,
      qs: { ...qs, limit, ...(cursor !== null && { cursor }) },
    })
    results.push(...(page.results as IDataObject[]))
    cursor = (page.nextCursor as string | null) ?? null
  } while (cursor !== null && results.length < most)
  return results
}

/** Puts each field of an operation into the path, the query or the body. */
export function buildRequest(functions: IExecuteFunctions, operation: Operation, index: number) {
  const more = functions.getNodeParameter('additionalFields', index, {}) as IDataObject
  let path = operation.path
  const qs: IDataObject = {}
  const body: IDataObject = {}
  for (const field of operation.fields) {
    const given = field.required === true ? functions.getNodeParameter(field.name, index) : more[field.name]
    if (given === undefined || given === '') continue
    const value = fieldValue(functions, { field, given, index })
    if (field.in === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(String(value)))
    else if (field.in === 'query') qs[field.name] = value as string
    else body[field.name] = value as IDataObject
  }
  if (/[{}]/.test(path))
    throw new NodeOperationError(functions.getNode(), 'An ID is missing. Fill in every ID field.', { itemIndex: index })
  return { path, qs, body }
}

function fieldValue(
  functions: IExecuteFunctions,
  { field, given, index }: { field: Field; given: unknown; index: number },
): unknown {
  if (field.type !== 'json' || typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    throw new NodeOperationError(functions.getNode(), `${field.label} is not valid JSON.`, { itemIndex: index })
  }
}
