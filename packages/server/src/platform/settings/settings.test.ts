import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { ConfigError, parseConfig } from '../config.ts'
import { readProcessSettings } from './find-settings.shell.ts'
import { settingFileKey, findSettings, type SettingSources } from './setting-sources.ts'
import { exampleEnvironment, settingsPage, settingsSchema } from './settings-texts.ts'
import { settingNames, settings, type SettingName } from './settings.ts'

const root = new URL('../../../../../', import.meta.url)
const nothing: SettingSources = { words: [], environment: {}, secretFiles: new Map(), file: null }
const file = (text: string) => ({ path: 'overture.toml', text })
const open = settingNames.filter((name) => !settings[name].secret)
const flagOf = (name: SettingName) => `--${settingFileKey(name).replaceAll('_', '-')}`

test('for each setting a flag wins over a variable, its file and overture.toml', () => {
  const word = fc.stringMatching(/^[a-z0-9]{1,12}$/)
  fc.assert(
    fc.property(
      fc.constantFrom(...open),
      fc.tuple(word, word, word, word),
      fc.subarray([0, 1, 2, 3]),
      (name, values, given) => {
        // A variable together with its own file is refused, which has its own test below.
        fc.pre(!(given.includes(1) && given.includes(2)))
        const has = (at: number) => given.includes(at as 0)
        const found = findSettings({
          words: has(0) ? [flagOf(name), values[0]] : [],
          environment: has(1) ? { [name]: values[1] } : {},
          secretFiles: has(2) ? new Map([[name, { path: '/run/x', text: values[2] }]]) : new Map(),
          file: has(3) ? file(`${settingFileKey(name)} = "${values[3]}"`) : null,
        })
        const origins = [flagOf(name), name, `${name}_FILE /run/x`, 'overture.toml']
        expect(found.problems).toEqual([])
        expect(found.values[name]).toBe(given.length === 0 ? undefined : values[Math.min(...given) as 0])
        expect(found.origins.get(name)).toBe(given.length === 0 ? undefined : origins[Math.min(...given)])
      },
    ),
  )
})

test('numbers, booleans and lists in the file are read like variables', () => {
  const text = 'port = 8080\nallow_private_targets = true\ntrusted_proxies = ["loopback", "10.0.0.0/8"]\nrole = "api"\n'
  const { values, problems } = findSettings({ ...nothing, file: file(text) })
  expect(parseConfig(values, '/srv', problems)).toMatchObject({
    port: 8080,
    role: 'api',
    trustedProxies: ['loopback', '10.0.0.0/8'],
    network: { allowPrivateTargets: true },
  })
})

test('an unknown name is refused with the closest one, and all errors are reported at once', () => {
  const ours = settingNames.filter((name) => name.startsWith('OVERTURE_'))
  const typo = fc
    .constantFrom(...ours)
    .chain((name) =>
      fc
        .integer({ min: 9, max: name.length - 1 })
        .map((at) => ({ name, wrong: name.slice(0, at) + 'Q' + name.slice(at + 1) })),
    )
    .filter(({ name, wrong }) => wrong !== name)
  fc.assert(
    fc.property(typo, ({ wrong }) => {
      const { problems } = findSettings({ ...nothing, environment: { [wrong]: '1' } })
      expect(problems).toEqual([expect.stringMatching(new RegExp(`^${wrong}: unknown; did you mean [A-Z_]+\\?\\.$`))])
    }),
  )
  const found = findSettings({
    words: ['--prot', '1', '--encryption-key', 'x', '--role'],
    environment: { OVERTURE_ROLL: 'api', PORT: 'x', OVERTURE_DRAIN_SECONDS: '-1', HOST: 'h' },
    secretFiles: new Map([
      ['HOST', { path: '/run/host', text: 'h' }],
      ['DATABASE_URL', { path: '/run/gone', text: null }],
    ]),
    file: file('rol = "api"\nport = { x = 1 }\n'),
  })
  const message = (() => {
    try {
      parseConfig(found.values, '/', found.problems)
      return ''
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError)
      return (error as Error).message
    }
  })()
  expect(message.split('\n')).toEqual([
    '--prot: unknown; did you mean --port?.',
    '--encryption-key: all users of this machine can read flags. Set OVERTURE_ENCRYPTION_KEY or OVERTURE_ENCRYPTION_KEY_FILE instead.',
    '--role: the value is missing.',
    'HOST: set together with HOST_FILE. Use only one of them.',
    "DATABASE_URL_FILE: /run/gone can't be read.",
    'overture.toml: rol is unknown; did you mean role?.',
    'overture.toml: port: use a text, a number, true, false, or a list of texts.',
    'OVERTURE_ROLL: unknown; did you mean OVERTURE_ROLE?.',
    'PORT: a whole number from 0 to 65535, not "x".',
    'OVERTURE_DRAIN_SECONDS: a whole number from 0 to 300, not "-1".',
  ])
  const broken = findSettings({ ...nothing, file: file('port = \n') })
  expect(broken.problems).toEqual(['overture.toml: line 1 is not TOML.'])
})

test("Kubernetes service variables and the client's variables are ignored", () => {
  const environment = {
    OVERTURE_SERVICE_HOST: '10.0.0.1',
    OVERTURE_PORT: 'tcp://10.0.0.1:3000',
    OVERTURE_PORT_3000_TCP_ADDR: '10.0.0.1',
    OVERTURE_API_SERVICE_PORT_HTTP: '3000',
    OVERTURE_API_KEY: 'ovt_x',
    OVERTURE_URL: 'http://x',
  }
  expect(findSettings({ ...nothing, environment }).problems).toEqual([])
})

test('files are found in the start folder, by OVERTURE_CONFIG, and for each secret', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overture-settings-'))
  await writeFile(join(folder, 'overture.toml'), 'port = 1\n')
  await writeFile(join(folder, 'other.toml'), 'port = 2\n')
  await writeFile(join(folder, 'key'), `${'k'.repeat(32)}\n`)
  const of = (environment: Record<string, string>) => readProcessSettings({ environment, folder })
  expect(of({}).values['PORT']).toBe('1')
  expect(of({ OVERTURE_CONFIG: 'other.toml' }).values['PORT']).toBe('2')
  const { values, problems, origins } = of({ OVERTURE_ENCRYPTION_KEY_FILE: 'key' })
  expect(parseConfig(values, folder, problems).encryptionKeys).toEqual(['k'.repeat(32)])
  expect(origins.get('OVERTURE_ENCRYPTION_KEY')).toBe('OVERTURE_ENCRYPTION_KEY_FILE key')
  expect(of({ OVERTURE_CONFIG: 'gone.toml' }).problems).toHaveLength(1)
  await rm(folder, { recursive: true })
})

test('every default is valid, and every setting is read by the server', async () => {
  for (const name of settingNames) {
    const { default: standard, schema, help } = settings[name]
    if (standard !== null) expect([name, schema.safeParse(standard).success]).toEqual([name, true])
    expect([name, help.length > 5]).toEqual([name, true])
  }
  const folder = new URL('../', import.meta.url)
  const names = (await readdir(folder)).filter((one) => one.endsWith('config.ts'))
  const text = (await Promise.all(names.map((one) => readFile(new URL(one, folder), 'utf8')))).join('\n')
  // The names of a provider's settings are built from parts.
  const byPart = /^(?:PROSPEO|PDL|APOLLO)_|^(?:GOOGLE|MICROSOFT)_(?:OAUTH|SMTP|IMAP)_/
  expect(settingNames.filter((name) => !byPart.test(name) && !text.includes(`'${name}'`))).toEqual([])
})

test('page, example and schema match the table (npm run settings writes them)', async () => {
  const text = (path: string) => readFile(new URL(path, root), 'utf8')
  expect((await text('docs/configuration.md')).endsWith(settingsPage())).toBe(true)
  expect(await text('.env.example')).toBe(exampleEnvironment())
  expect(JSON.parse(await text('docs/overture-toml.schema.json'))).toEqual(settingsSchema())
  const named = [...(await text('README.md')).matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name!),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !Object.hasOwn(settings, name))).toEqual([])
})

test("the schema accepts what the server accepts: defaults and the page's example", async () => {
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(settingsSchema())
  const page = await readFile(new URL('docs/configuration.md', root), 'utf8')
  const example = parse(/```toml\n([^`]*)```/.exec(page)![1]!)
  expect([validate(example), validate.errors]).toEqual([true, null])
  expect(findSettings({ ...nothing, file: file(/```toml\n([^`]*)```/.exec(page)![1]!) }).problems).toEqual([])
  expect(validate({ prot: 1 })).toBe(false)
  expect(validate({ port: 70_000 })).toBe(false)
})
