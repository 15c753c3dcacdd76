import { describe, expect, test } from 'vitest'
import type { GrantScope } from '@overture/contract/accounts/grants.ts'
import {
  chosenScopes,
  clientHost,
  clientLabel,
  grantableEnvironments,
  grantableScopes,
  isSafeRedirect,
} from './grant.ts'

const asked = ['read', 'write', 'send', 'live']

describe('grantableScopes', () => {
  test.each([
    ['owner', { ceiling: 'send', live: true }, 'live', asked, ['read', 'write', 'send', 'live']],
    ['owner', { ceiling: 'send', live: true }, 'test', asked, ['read', 'write', 'send']],
    ['owner', { ceiling: 'send', live: false }, 'live', asked, ['read', 'write', 'send']],
    ['member', { ceiling: 'write', live: true }, 'test', asked, ['read', 'write']],
    ['member', { ceiling: 'read', live: true }, 'test', asked, ['read']],
    ['viewer', { ceiling: 'send', live: true }, 'live', asked, ['read', 'live']],
    ['owner', { ceiling: 'send', live: true }, 'live', ['write'], ['read', 'write']],
    ['owner', { ceiling: 'send', live: true }, 'live', ['admin', ''], ['read']],
  ] as const)('%s, %j, %s, asked for %j: %j', (role, mcp, environment, requested, scopes) => {
    expect(grantableScopes(requested, { role, mcp, environment })).toEqual(scopes)
  })
})

test.each([
  [asked, true, ['test', 'live']],
  [asked, false, ['test']],
  [['read', 'write'], true, ['test']],
])('environments for %j with live %s: %j', (requested, live, environments) => {
  expect(grantableEnvironments(requested, { ceiling: 'send', live })).toEqual(environments)
})

describe('chosenScopes', () => {
  const all: readonly GrantScope[] = ['read', 'write', 'send', 'live']
  test.each<[GrantScope[], readonly GrantScope[], 'live' | 'test', GrantScope[] | null]>([
    [[], all, 'test', ['read']],
    [['write'], all, 'test', ['read', 'write']],
    [['read', 'write', 'send'], all, 'live', ['read', 'write', 'send', 'live']],
    [['live'], all, 'test', ['read']],
    [[], ['read'], 'live', null],
    [['write'], ['read'], 'test', null],
    [['send'], all, 'test', null],
    [['write', 'send'], ['read', 'write'], 'test', null],
  ])('%j of %j in %s: %j', (chosen, grantable, environment, scopes) => {
    expect(chosenScopes(chosen, grantable, environment)).toEqual(scopes)
  })
})

test.each([
  ['https://assistant.test/callback', true],
  ['https://assistant.test:8443/callback?kept=1', true],
  ['http://127.0.0.1:7777/callback', true],
  ['http://localhost/callback', true],
  ['http://[::1]:7777/callback', true],
  ['cursor://anysphere.cursor-retrieval/oauth', true],
  ['com.example.app://callback', true],
  ['http://assistant.test/callback', false],
  ['http://127.0.0.1.assistant.test/callback', false],
  ['http://localhost@assistant.test/', false],
  ['https://user:password@assistant.test/', false],
  ['https://assistant.test/#part', false],
  ['javascript:alert(1)', false],
  ['javascript://assistant.test/%0Aalert(1)', false],
  ['data:text/html,text', false],
  ['file:///etc/passwd', false],
  ['blob:https://assistant.test/1', false],
  ['mailto:someone@example.com', false],
  ['//assistant.test/', false],
  ['', false],
])('isSafeRedirect: %s is %s', (uri, safe) => {
  expect(isSafeRedirect(uri)).toBe(safe)
})

test.each([
  ['https://assistant.test/client.json', 'https://elsewhere.test/', 'assistant.test'],
  ['https://assistant.test:8443/client.json', 'https://elsewhere.test/', 'assistant.test:8443'],
  ['an-id', 'https://elsewhere.test/callback', 'elsewhere.test'],
  ['an-id', 'http://127.0.0.1:7777/', '127.0.0.1:7777'],
  ['an-id', 'cursor://oauth', 'cursor:'],
  ['an-id', 'no address', ''],
])('clientHost of %s and %s is %s', (clientId, redirectUri, host) => {
  expect(clientHost(clientId, redirectUri)).toBe(host)
})

test.each([
  ['Assistant', 'Assistant'],
  ['  two \n lines ', 'two lines'],
  ['\u202Emitxe\u202C\u2066', 'mitxe'],
  ['zero\u200Bwidth\u0000', 'zero width'],
  ['<b>Bold</b>', '<b>Bold</b>'],
  [undefined, 'assistant.test'],
  ['\u200F', 'assistant.test'],
  ['x'.repeat(5_000), 'x'.repeat(80)],
  ['😀'.repeat(100), '😀'.repeat(80)],
])('clientLabel of %j is %j', (name, label) => {
  expect(clientLabel(name, 'assistant.test')).toBe(label)
})
