import { expect, test } from 'vitest'
import { refusedRequest, requestProblem } from './request-problem.ts'

test.each([
  ['invalid_client', false, 'unknown'],
  ['invalid_client_metadata', false, 'unknown'],
  ['invalid_redirect_uri', false, 'redirect'],
  ['invalid_target', false, 'invalid'],
  ['constructor', false, 'invalid'],
  ['<b>', false, 'invalid'],
  ['invalid_client', true, 'over'],
] as const)('%s, decided %s: %s', (error, isDecided, problem) => {
  expect(requestProblem(error, isDecided)).toBe(problem)
})

const page = '/app/connect'
const json = (body: object) => JSON.stringify(body)
test.each([
  [{ status: 303, location: page, body: '' }, null],
  [
    { status: 303, location: 'https://assistant.test/?error=invalid_target&error_description=words', body: '' },
    { error: 'invalid_target', description: 'words' },
  ],
  [
    { status: 303, location: 'https://assistant.test/?code=1', body: '' },
    { error: 'invalid_request', description: '' },
  ],
  [
    { status: 303, location: '//assistant.test/app/connect', body: '' },
    { error: 'invalid_request', description: '' },
  ],
  [
    { status: 400, location: undefined, body: json({ error: 'invalid_client', error_description: 'words' }) },
    { error: 'invalid_client', description: 'words' },
  ],
  [
    { status: 200, location: undefined, body: '<form>' },
    { error: 'invalid_request', description: '' },
  ],
  [
    { status: 400, location: undefined, body: json({ error: 1 }) },
    { error: 'invalid_request', description: '' },
  ],
])('%j: %j', (answer, refused) => {
  expect(refusedRequest(answer, page)).toEqual(refused)
})
