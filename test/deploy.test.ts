import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const place = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const read = (path: string) => readFileSync(place(path), 'utf8')

interface Service {
  image?: string
  restart?: string
  healthcheck?: object
  mem_limit?: string
  stop_grace_period?: string
  read_only?: boolean
  cap_drop?: string[]
  profiles?: string[]
  secrets?: string[]
  environment?: Record<string, string>
  depends_on?: string[] | Record<string, unknown>
}

describe('the Dockerfile', () => {
  const steps = read('Dockerfile')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const last = steps.slice(steps.findLastIndex((step) => step.startsWith('FROM ')))
  const argument = (name: string) =>
    last.filter((step) => step.startsWith(`${name} `)).map((step) => step.slice(name.length + 1))

  test('contains only valid instructions, one per line', () => {
    const known = /^(?:FROM|WORKDIR|COPY|RUN|LABEL|USER|VOLUME|ENV|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD) \S/
    expect(steps.filter((step) => !known.test(step))).toEqual([])
  })

  test('runs as a user who can write only the data, and has a health check', () => {
    expect(argument('USER')).toEqual(['10001'])
    expect(argument('VOLUME')).toEqual(['/data'])
    expect(argument('RUN').at(-1)).toBe('mkdir /data && chown 10001:10001 /data')
    const [health = ''] = argument('HEALTHCHECK')
    const [program, ...words] = JSON.parse(health.slice(health.indexOf('['))) as string[]
    expect([program, words[0]]).toEqual(['node', '-e'])
    expect(words[1]).toContain('/readyz')
    for (const name of ['ENTRYPOINT', 'CMD']) expect(JSON.parse(argument(name)[0]!)).toBeInstanceOf(Array)
  })

  test('the health check exits with 1 if no server replies', () => {
    const [health = ''] = argument('HEALTHCHECK')
    const [, ...words] = JSON.parse(health.slice(health.indexOf('['))) as string[]
    const { status } = spawnSync(process.execPath, words, { env: { PORT: '1' } })
    expect(status).toBe(1)
  })

  test('contains only the published package, built by its build script', () => {
    expect(argument('COPY')).toEqual(['--from=build /overture/built /opt/overture'])
    expect(steps.some((step) => step.includes('npm run build -- /overture/built'))).toBe(true)
    expect(JSON.parse(read('package.json')).scripts.build).toContain('packages/overture/build.ts')
  })
})

/** The schema of the compose specification, from the package of a linter. Its `$schema` has a URL that the validator doesn't know. */
const { $schema: _, ...schema } = JSON.parse(read('node_modules/dclint/schemas/compose.schema.json')) as {
  $schema: string
}
const isCompose = new Ajv({ strict: false, formats: { duration: true } }).compile(schema)

describe.each(['compose.yaml', 'deploy/compose.yaml'])('%s', (path) => {
  const file = () => parse(read(path), { merge: true }) as { services: Record<string, Record<string, unknown>> }

  test('is valid by the compose specification', () => {
    expect([isCompose(file()), isCompose.errors]).toEqual([true, null])
  })

  test.each([
    ['an unknown key', { restarts: 'always' }],
    ['a list instead of a text', { image: ['overture'] }],
    ['a health check with an invalid test', { healthcheck: { test: 7 } }],
  ])('%s would be found', (_name, wrong) => {
    const spoiled = file()
    Object.assign(spoiled.services['overture']!, wrong)
    expect(isCompose(spoiled)).toBe(false)
  })
})

describe('the compose file with versions', () => {
  const file = parse(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    secrets: object
    volumes: object
  }
  const ours = Object.entries(file.services).filter(([, { image }]) => image?.includes('OVERTURE_VERSION'))

  test('has server and database, and optional workers and proxy', () => {
    expect(Object.keys(file.services)).toEqual(['postgres', 'overture', 'worker', 'proxy'])
    expect(file.services['worker']!.profiles).toEqual(['worker'])
    expect(file.services['proxy']!.profiles).toEqual(['proxy'])
    expect(file.services['worker']!.environment!['OVERTURE_ROLE']).toBe('worker')
  })

  test.each(Object.entries(file.services))(
    '%s restarts, has limits, and depends on existing services',
    (_name, service) => {
      expect(service.restart).toBe('unless-stopped')
      expect(service.mem_limit).toMatch(/^\d+[mg]$/)
      expect(service.stop_grace_period).toMatch(/^\d+s$/)
      for (const name of Object.keys(Array.isArray(service.depends_on) ? {} : (service.depends_on ?? {})))
        expect(Object.keys(file.services)).toContain(name)
      for (const name of service.secrets ?? []) expect(Object.keys(file.secrets)).toContain(name)
    },
  )

  test('secrets are files, and our own services have a read-only file system and no capabilities', () => {
    expect(ours.map(([name]) => name)).toEqual(['overture', 'worker'])
    for (const [, { read_only, cap_drop, environment = {} }] of ours) {
      expect([read_only, cap_drop]).toEqual([true, ['ALL']])
      expect(Object.keys(environment)).toEqual(
        expect.arrayContaining(['DATABASE_URL_FILE', 'OVERTURE_ENCRYPTION_KEY_FILE']),
      )
      expect(
        Object.keys(environment).filter((name) => /(?:KEY|PASSWORD|SECRET|TOKEN|DATABASE_URL)$/.test(name)),
      ).toEqual([])
    }
    expect(file.services['postgres']!.environment).not.toHaveProperty('POSTGRES_PASSWORD')
  })
})

describe('the systemd unit', () => {
  const unit = place('deploy/systemd/overture.service')

  test('is valid, uses a dynamic user and can write only its state', ({ skip }) => {
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    if (verified.error !== undefined) return skip('No systemd-analyze here: the unit is not read by systemd.')
    expect([verified.status, verified.stderr]).toEqual([0, ''])
    const text = read('deploy/systemd/overture.service')
    for (const line of ['DynamicUser=yes', 'StateDirectory=overture', 'ProtectSystem=strict', 'Restart=always'])
      expect(text.split('\n')).toContain(line)
  })
})
