import { expect } from 'vitest'
import type { AnswerBody, TestServer } from '../server.ts'

/** Calls the API with the test key of the first account. `done` fails unless the answer is a success, and returns its body. */
export function testCalls(server: () => TestServer) {
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    server().call(method, path, { key: server().keys.test, headers, ...(body !== undefined && { body }) })
  async function done(method: string, path: string, body?: unknown): Promise<AnswerBody> {
    const answer = await call(method, path, body)
    expect([path, answer.status < 300 ? null : answer.text]).toEqual([path, null])
    return answer.body
  }
  return { call, done }
}
