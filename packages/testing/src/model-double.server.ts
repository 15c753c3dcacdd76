import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { compatible } from './services/model-services.ts'
import { jsonBody, readServiceRequest, sendAnswer } from './services/service-request.ts'

/** The result of the next call. A text is the model's response, `stall` never ends, and `drop` closes the connection in the middle. */
export type ModelTurn =
  | { text: string; pieces?: number; pieceDelayMs?: number }
  | { status: number; headers?: Record<string, string> }
  | { stall: 'silent' | 'after_some'; text?: string }
  | { drop: true; text?: string }
  | { nonsense: string }

export interface ModelCall {
  streamed: boolean
  /** The whole request body. */
  body: string
  startedMs: number
  /** True if the client closed the connection before the response was complete. */
  abandoned: boolean
}

export interface ModelDouble {
  baseUrl: string
  calls: ModelCall[]
  /** The bodies of all requests, also of those that were refused. */
  received: string[]
  /** The number of calls in progress, and its maximum so far. */
  running: number
  runningMax: number
  /** Results of the next calls, in order. `usual` applies if none is left; a function gets the request body. */
  turns: ModelTurn[]
  usual: ModelTurn | ((body: string) => ModelTurn)
  /** Models in the list, or null if the server has no list of models. */
  listed: string[] | null
  refuseKey: boolean
  /** The key that the server was started with, or null if it needs none. */
  key: string | null
  /** The token usage that the double reports. */
  usage: typeof usageUsual
  reset(): void
  stop(): Promise<void>
}

const usageUsual = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

/** Starts a server for OpenAI's chat protocol that responds, streams, fails or stalls as configured, and records its calls. */
export async function startModelDouble(usual: ModelDouble['usual'] = { text: '{}' }): Promise<ModelDouble> {
  const server = createServer((request, response) => {
    void answer(double, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const double: ModelDouble = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    calls: [],
    received: [],
    running: 0,
    runningMax: 0,
    turns: [],
    usual,
    listed: ['tiny'],
    refuseKey: false,
    key: null,
    usage: usageUsual,
    reset() {
      const fresh = {
        calls: [],
        received: [],
        runningMax: 0,
        turns: [],
        usual,
        listed: ['tiny'],
        refuseKey: false,
        key: null,
        usage: usageUsual,
      }
      Object.assign(double, fresh)
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return double
}

async function answer(double: ModelDouble, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const received = await readServiceRequest(request)
  double.received.push(received.body)
  const refusal = compatible.toRefusal(received, double.refuseKey ? 'another key' : double.key)
  if (refusal !== null) return sendAnswer(request, response, refusal)
  if (received.path === '/v1/models') {
    if (double.listed === null) return sendAnswer(request, response, { status: 404, body: {} })
    const data = double.listed.map((id) => ({ id, object: 'model', created: 1, owned_by: 'library' }))
    return sendAnswer(request, response, { status: 200, body: { object: 'list', data } })
  }
  const { body } = received
  const call: ModelCall = {
    streamed: jsonBody(received)['stream'] === true,
    body,
    startedMs: performance.now(),
    abandoned: false,
  }
  double.calls.push(call)
  double.running += 1
  double.runningMax = Math.max(double.running, double.runningMax)
  response.once('close', () => {
    double.running -= 1
    call.abandoned = !response.writableFinished
  })
  const turn = double.turns.shift() ?? (typeof double.usual === 'function' ? double.usual(body) : double.usual)
  await play(turn, { call, usage: double.usage }, { request, response })
}

async function play(
  turn: ModelTurn,
  { call, usage }: { call: ModelCall; usage: typeof usageUsual },
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  if ('status' in turn) {
    const error = { message: 'told to fail', type: 'server_error', param: null, code: null }
    return sendAnswer(request, response, { status: turn.status, body: { error }, headers: turn.headers ?? {} })
  }
  if ('nonsense' in turn) return void response.end(turn.nonsense)
  if ('stall' in turn && turn.stall === 'silent') return
  const text = ('text' in turn ? turn.text : undefined) ?? ''
  const whole = !('stall' in turn) && !('drop' in turn)
  if (!call.streamed) {
    if (whole) return sendAnswer(request, response, { status: 200, body: completion(text, usage) })
    if ('drop' in turn) response.destroy()
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  // Servers keep an idle connection open with comments.
  response.write(': keep-alive\n\n')
  response.write(event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }))
  const { pieces = 4, pieceDelayMs = 1 } = 'pieces' in turn || 'pieceDelayMs' in turn ? turn : {}
  for (const piece of cut(text, pieces)) {
    response.write(event({ choices: [{ index: 0, delta: { content: piece }, finish_reason: null }] }))
    await new Promise((resolve) => setTimeout(resolve, pieceDelayMs))
  }
  if ('drop' in turn) return void response.destroy()
  if (!whole) return
  response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
  // The usage of a stream is sent only if the request asks for it.
  if (wantsUsage(call)) response.write(event({ choices: [], usage }))
  response.end('data: [DONE]\n\n')
}

function wantsUsage({ body }: ModelCall): boolean {
  return /"stream_options":\{[^}]*"include_usage":true/.test(body)
}

function cut(text: string, pieces: number): string[] {
  const length = Math.max(1, Math.ceil(text.length / pieces))
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  )
}

function event(fields: object): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'tiny', ...fields })}\n\n`
}

function completion(text: string, usage: typeof usageUsual) {
  const message = { role: 'assistant', content: text }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  return { id: 'c', object: 'chat.completion', created: 1, model: 'tiny', choices, usage }
}
