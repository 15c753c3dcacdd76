import { isJson, jsonBody, type Service, type ServiceAnswer, type ServiceRequest } from './service-request.ts'

const openaiError = (status: number, message: string, code: string | null, param: string | null = null) => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param, code } },
})

/** Refuses a call of OpenAI's API. Mistral and local servers copy its chat completions, except for the errors. */
function refusalOfOpenai(request: ServiceRequest, key: string | null): ServiceAnswer | null {
  const { authorization } = request.headers
  if (key !== null && authorization === undefined) return openaiError(401, "You didn't provide an API key.", null)
  if (key !== null && authorization !== `Bearer ${key}`)
    return openaiError(401, 'Incorrect API key provided.', 'invalid_api_key')
  if (request.method === 'GET' && request.path.endsWith('/models')) return null
  const input = request.path.endsWith('/responses') ? 'input' : 'messages'
  if (request.method !== 'POST' || !/\/(?:responses|chat\/completions)$/.test(request.path))
    return openaiError(404, `Invalid URL (${request.method} ${request.path})`, null)
  if (!isJson(request)) return openaiError(400, 'You must send a JSON body.', null)
  const body = jsonBody(request)
  if (typeof body['model'] !== 'string') return openaiError(400, 'you must provide a model parameter', null)
  if (!hasItems(body[input]))
    return openaiError(400, `Missing required parameter: '${input}'.`, 'missing_required_parameter', input)
  return null
}

function hasItems(value: unknown): boolean {
  return (typeof value === 'string' || Array.isArray(value)) && value.length > 0
}

export const openai: Service = {
  sources: [
    'https://platform.openai.com/docs/api-reference/authentication',
    'https://platform.openai.com/docs/guides/error-codes',
  ],
  toRefusal: refusalOfOpenai,
}

/** A server of one's own with OpenAI's protocol. Ollama, vLLM and llama.cpp need no key unless they are started with one. */
export const compatible: Omit<Service, 'toRefusal'> & {
  toRefusal(request: ServiceRequest, key: string | null): ServiceAnswer | null
} = {
  sources: [
    'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
    'https://github.com/ollama/ollama/blob/main/docs/openai.md',
  ],
  toRefusal: refusalOfOpenai,
}

export const mistral: Service = {
  sources: ['https://docs.mistral.ai/api/', 'https://docs.mistral.ai/getting-started/quickstart/'],
  toRefusal(request, key) {
    if (request.headers.authorization !== `Bearer ${key}`) return { status: 401, body: { detail: 'Unauthorized' } }
    const refusal = refusalOfOpenai(request, key)
    if (refusal === null || refusal.status === 404) return refusal
    const type = 'missing'
    return {
      status: 422,
      body: { object: 'error', message: { detail: [{ type, loc: ['body'], msg: 'Field required' }] } },
    }
  },
}

const anthropicError = (status: number, type: string, message: string) => ({
  status,
  headers: { 'request-id': 'req_011CSHoEeqs5C35K2UUqR7Fy' },
  body: { type: 'error', error: { type, message }, request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy' },
})

export const anthropic: Service = {
  sources: ['https://docs.anthropic.com/en/api/errors', 'https://docs.anthropic.com/en/api/versioning'],
  toRefusal(request, key) {
    const { headers } = request
    if (headers['x-api-key'] === undefined)
      return anthropicError(401, 'authentication_error', 'x-api-key header is required')
    if (headers['x-api-key'] !== key) return anthropicError(401, 'authentication_error', 'invalid x-api-key')
    if (headers['anthropic-version'] !== '2023-06-01')
      return anthropicError(400, 'invalid_request_error', 'anthropic-version: header is required')
    if (request.method === 'GET' && request.path.endsWith('/models')) return null
    if (request.method !== 'POST' || !request.path.endsWith('/messages'))
      return anthropicError(404, 'not_found_error', 'Not Found')
    if (!isJson(request)) return anthropicError(400, 'invalid_request_error', 'The request body is not valid JSON')
    const body = jsonBody(request)
    for (const field of ['model', 'max_tokens', 'messages'])
      if (body[field] === undefined) return anthropicError(400, 'invalid_request_error', `${field}: Field required`)
    if (!hasItems(body['messages']))
      return anthropicError(400, 'invalid_request_error', 'messages: at least one message is required')
    return null
  },
}

const googleError = (code: number, status: string, message: string) => ({
  status: code,
  body: { error: { code, message, status } },
})

export const google: Service = {
  sources: [
    'https://ai.google.dev/gemini-api/docs/api-key',
    'https://ai.google.dev/gemini-api/docs/troubleshooting',
    'https://ai.google.dev/api/generate-content',
  ],
  toRefusal(request, key) {
    const given = request.headers['x-goog-api-key'] ?? request.query.get('key') ?? undefined
    if (given === undefined)
      return googleError(403, 'PERMISSION_DENIED', "Method doesn't allow unregistered callers. Please use API Key.")
    if (given !== key) return googleError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.')
    if (request.method === 'GET' && request.path.endsWith('/models')) return null
    if (request.method !== 'POST' || !/\/models\/[\w.-]+:(?:stream)?[gG]enerateContent$/.test(request.path))
      return googleError(404, 'NOT_FOUND', 'Requested entity was not found.')
    if (!isJson(request) || !hasItems(jsonBody(request)['contents']))
      return googleError(400, 'INVALID_ARGUMENT', '* GenerateContentRequest.contents: contents is not specified')
    return null
  },
}
