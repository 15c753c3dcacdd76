import { expect, test } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'

const issuer = { OVERTURE_OIDC_ISSUER: 'https://login.example.com', OVERTURE_OIDC_CLIENT_ID: 'x' }

test('an empty environment has the documented defaults', () => {
  expect(parseConfig({}, '/srv/overture')).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    role: 'all',
    databaseUrl: null,
    dataDir: '/srv/overture/data',
    publicUrl: 'http://127.0.0.1:3000',
    encryptionKeys: [],
    metricsToken: null,
    network: { allowPrivateTargets: false },
    payments: null,
  })
})

test('given values are used', () => {
  const config = parseConfig(
    {
      HOST: '::1',
      PORT: '8080',
      OVERTURE_DATA_DIR: './x/',
      OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
      OVERTURE_ROLE: 'worker',
      OVERTURE_AI_BASE_URL: 'http://localhost:11434/v1',
      OVERTURE_AI_MODEL: 'llama',
      GOOGLE_SMTP_URL: 'smtp://127.0.0.1:2525',
      OVERTURE_FINDER_PROVIDER: 'pdl',
      PDL_API_KEY: 'k',
      PDL_BASE_URL: 'http://127.0.0.1:9/',
    },
    '/srv',
  )
  expect(config).toMatchObject({
    publicUrl: 'http://[::1]:8080',
    dataDir: '/srv/x',
    role: 'worker',
    network: { allowPrivateTargets: true },
    ai: { compatible: { baseUrl: 'http://localhost:11434/v1', model: 'llama', apiKey: null } },
    finder: { provider: 'pdl', apiKey: 'k', baseUrl: 'http://127.0.0.1:9/' },
    oauth: { google: { smtp: { host: '127.0.0.1', port: 2525, security: 'none' } } },
  })
})

test.each([
  ['PORT', { PORT: '70000' }],
  ['PORT', { PORT: 'http' }],
  ['OVERTURE_ROLE', { OVERTURE_ROLE: 'boss' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
  ['OVERTURE_PUBLIC_URL', { OVERTURE_PUBLIC_URL: 'example.com' }],
  ['OVERTURE_ENCRYPTION_KEY', { OVERTURE_ENCRYPTION_KEY: 'short' }],
  ['OVERTURE_ALLOW_PRIVATE_TARGETS', { OVERTURE_ALLOW_PRIVATE_TARGETS: 'maybe' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ['OVERTURE_METRICS_TOKEN', { OVERTURE_METRICS_TOKEN: 'too-short' }],
  ['OVERTURE_METRICS_TOKEN', { OVERTURE_METRICS_TOKEN: 'sixteen letters and spaces' }],
  ['OVERTURE_AI_MODEL', { OVERTURE_AI_BASE_URL: 'http://localhost:1' }],
  ['OVERTURE_PASSWORD_LOGIN', { OVERTURE_PASSWORD_LOGIN: 'off' }],
  ['OVERTURE_OIDC_ISSUER', { OVERTURE_OIDC_ISSUER: 'http://login.example.com', OVERTURE_OIDC_CLIENT_ID: 'x' }],
  ['OVERTURE_OIDC_ISSUER', { OVERTURE_OIDC_CLIENT_ID: 'x' }],
  ['OVERTURE_OIDC_CLIENT_ID', { OVERTURE_OIDC_ISSUER: 'https://login.example.com' }],
  ['OVERTURE_OIDC_DEFAULT_ROLE', { ...issuer, OVERTURE_OIDC_DEFAULT_ROLE: 'boss' }],
  [
    'OVERTURE_OIDC_ROLE_MAP',
    { ...issuer, OVERTURE_OIDC_ROLE_CLAIM: 'groups', OVERTURE_OIDC_ROLE_MAP: 'ops=boss,*=viewer' },
  ],
  ['OVERTURE_OIDC_ROLE_CLAIM', { ...issuer, OVERTURE_OIDC_ROLE_MAP: 'ops=admin' }],
  ['APOLLO_API_KEY', { OVERTURE_FINDER_PROVIDER: 'apollo' }],
  ['OVERTURE_VERIFICATION_API_KEY', { OVERTURE_VERIFICATION_PROVIDER: 'bouncer' }],
])('an invalid %s is refused by name', (name, environment) => {
  expect(() => parseConfig(environment, '/')).toThrow(new RegExp(`^${name}: `))
})

test('all invalid variables are reported at once, without passwords', () => {
  try {
    parseConfig({ PORT: 'x', DATABASE_URL: 'htp://user:hunter2@host' }, '/')
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as Error).message.split('\n')).toHaveLength(2)
    expect((error as Error).message).not.toContain('hunter2')
  }
})

test('single sign-on is off without an issuer, and has its group roles with one', () => {
  expect(parseConfig({}, '/').signIn).toEqual({ passwords: true, passwordMebibytes: 64, oidc: null })
  const { signIn } = parseConfig(
    {
      ...issuer,
      OVERTURE_PASSWORD_LOGIN: 'off',
      OVERTURE_OIDC_ROLE_CLAIM: 'groups',
      OVERTURE_OIDC_ROLE_MAP: 'team=ops=admin, *=viewer',
    },
    '/',
  )
  expect(signIn.oidc).toMatchObject({ issuer: 'https://login.example.com', accountId: null, defaultRole: null })
  expect([...signIn.oidc!.roleMap]).toEqual([
    ['team=ops', 'admin'],
    ['*', 'viewer'],
  ])
  expect(signIn.passwords).toBe(false)
})
