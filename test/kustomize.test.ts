import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { commands } from '@overture/cli/src/commands.ts'
import { settings } from '@overture/server/platform/settings/settings.ts'
import { version } from '@overture/server/platform/version.ts'
import { readFences } from '@overture/testing/docs/fences.ts'
import {
  buildResources,
  findUnknownFields,
  findViolations,
  readResources,
  type Resource,
} from '@overture/testing/package/kubernetes.ts'

const folder = resolve(import.meta.dirname, '../deploy/kustomize')
const resources = readResources(folder)
/** The longest duration of a stop in addition to the seconds for draining: docs/kubernetes.md. */
const stopSeconds = 90

/** The ingress that a user adds to the guide's overlay. */
const ingress: Resource = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'overture' },
  spec: { defaultBackend: { service: { name: 'overture', port: { name: 'http' } } } },
}

interface Probe {
  httpGet: { path: string; port: string }
  periodSeconds: number
  failureThreshold: number
}

interface Container {
  image: string
  args?: string[]
  env?: { name: string; value: string }[]
  envFrom: { configMapRef: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  startupProbe?: Probe
  readinessProbe?: Probe
  livenessProbe?: Probe
  securityContext: object
  resources: { limits: Record<string, string>; requests: Record<string, string> }
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[]
}

interface Pod {
  containers: Container[]
  enableServiceLinks: boolean
  automountServiceAccountToken: boolean
  terminationGracePeriodSeconds?: number
  securityContext: object
  volumes: { name: string; secret?: { secretName: string; defaultMode: number }; emptyDir?: object }[]
}

const podOf = (resource: Resource) => (resource.spec as { template: { spec: Pod } }).template.spec
const labelsOf = (resource: Resource) =>
  (resource.spec as { template: { metadata: { labels: Record<string, string> } } }).template.metadata.labels
const find = (kind: string, name: string) => resources.find((one) => one.kind === kind && one.metadata.name === name)!
const deployments = resources.filter(({ kind }) => kind === 'Deployment')
const pods = [...deployments, ...resources.filter(({ kind }) => kind === 'Job')]
const { data: set = {} } = find('ConfigMap', 'overture')
const drainSeconds = settings.OVERTURE_DRAIN_SECONDS.schema.parse(set['OVERTURE_DRAIN_SECONDS']!)

describe('the Kubernetes manifests', () => {
  test('follow the schemas of the Kubernetes API', async () => {
    expect((await Promise.all(resources.map(findViolations))).flat()).toEqual([])
    expect(await findUnknownFields(resources)).toEqual([])
  })

  test('a wrong type, a missing field and an unknown field are found', async () => {
    const wrong = structuredClone(find('Deployment', 'overture-api')) as unknown as { spec: Record<string, unknown> }
    wrong.spec['replicas'] = 'two'
    expect(await findViolations(wrong as unknown as Resource)).toHaveLength(1)
    const missing = structuredClone(find('Job', 'overture-migrate'))
    delete (missing.spec as { template?: object }).template
    expect(await findViolations(missing)).toHaveLength(1)
    const unknown = structuredClone(find('Deployment', 'overture-worker'))
    Object.assign(podOf(unknown).containers[0]!.securityContext, { readOnlyRootFileSystem: true })
    expect(await findUnknownFields([unknown])).toEqual([expect.stringContaining('readOnlyRootFileSystem')])
  })

  test('are the same after kustomize, with the image of this release', async ({ skip }) => {
    const built = buildResources(folder)
    if (built === null) return skip('No kubectl of 2021 or later here: kustomize does not put it together.')
    const named = (all: Resource[]) => all.map(({ kind, metadata }) => `${kind}/${metadata.name}`).toSorted()
    expect(named(built)).toEqual(named(resources))
    expect((await Promise.all(built.map(findViolations))).flat()).toEqual([])
    const images = built.filter(({ kind }) => ['Deployment', 'Job'].includes(kind)).map(podOf)
    expect(images.flatMap(({ containers }) => containers.map(({ image }) => image))).toEqual(
      pods.map(() => `overture:${version}`),
    )
  })

  test('take name, namespace and address from the overlay in the guide', async ({ skip }) => {
    const place = await mkdtemp(join(tmpdir(), 'overture-overlay-'))
    try {
      const [overlay] = readFences('docs/kubernetes.md').filter(({ code }) => code.includes('kind: Kustomization'))
      await cp(folder, join(place, 'deploy/kustomize'), { recursive: true })
      await mkdir(join(place, 'mine'))
      await writeFile(join(place, 'mine/kustomization.yaml'), overlay!.code)
      await writeFile(join(place, 'mine/ingress.yaml'), stringify(ingress))
      const built = buildResources(join(place, 'mine'))
      if (built === null) return skip('No kubectl of 2021 or later here: kustomize does not put it together.')
      expect(built).toHaveLength(resources.length + 1)
      expect(built.map(({ metadata }) => (metadata as { namespace?: string }).namespace)).toEqual(
        built.map(() => 'overture'),
      )
      const images = built
        .filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
        .flatMap((one) => podOf(one).containers)
      expect(new Set(images.map(({ image }) => image))).toEqual(new Set([`registry.example.com/overture:${version}`]))
      const map = built.find(({ kind }) => kind === 'ConfigMap')!
      expect(map.data!['OVERTURE_PUBLIC_URL']).toBe('https://mail.example.com')
      expect((await Promise.all(built.map(findViolations))).flat()).toEqual([])
    } finally {
      await rm(place, { recursive: true, force: true })
    }
  })

  test('have an API deployment, a worker deployment and a migration job', () => {
    const roles = deployments.map((one) => podOf(one).containers[0]!.env)
    expect(roles).toEqual([[{ name: 'OVERTURE_ROLE', value: 'api' }], [{ name: 'OVERTURE_ROLE', value: 'worker' }]])
    for (const { value } of roles.flatMap((env) => env ?? []))
      expect(settings.OVERTURE_ROLE.schema.parse(value)).toBe(value)
    const jobs = resources.filter(({ kind }) => kind === 'Job')
    expect(jobs.map((job) => podOf(job).containers.map(({ args }) => args))).toEqual([[['migrate']]])
    expect(Object.keys(commands)).toContain('migrate')
  })
})

describe.each(pods.map((one) => [one.metadata.name, podOf(one)] as const))('the pod of %s', (_name, pod) => {
  const [container] = pod.containers

  test("isn't root, has no privileges, and can write only its data and temporary files", () => {
    expect(pod.containers).toHaveLength(1)
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 10001,
        fsGroup: 10001,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    })
    expect(container!.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    const writable = container!.volumeMounts.filter(({ readOnly }) => readOnly !== true)
    expect(writable.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp'])
    expect(container!.resources).toMatchObject({
      requests: { memory: expect.any(String) },
      limits: { memory: expect.any(String) },
    })
  })

  test('is configured by known settings, and reads secrets only from files', () => {
    expect(container!.envFrom).toEqual([{ configMapRef: { name: 'overture' } }])
    const all = { ...set, ...Object.fromEntries((container!.env ?? []).map(({ name, value }) => [name, value])) }
    const mount = container!.volumeMounts.find(({ name }) => name === 'secrets')!
    const volume = pod.volumes.find(({ name }) => name === 'secrets')!
    expect([mount.readOnly, volume.secret]).toEqual([true, { secretName: 'overture', defaultMode: 0o440 }])
    for (const [name, value] of Object.entries(all)) {
      const setting = (settings as Record<string, (typeof settings)[keyof typeof settings]>)[name.replace(/_FILE$/, '')]
      expect([name, setting]).toEqual([name, expect.anything()])
      expect([name, setting!.secret]).toEqual([name, name.endsWith('_FILE')])
      if (setting!.secret) expect(value.startsWith(`${mount.mountPath}/`)).toBe(true)
      else expect(setting!.schema.safeParse(value).success).toBe(true)
    }
    expect(Object.keys(all)).toEqual(expect.arrayContaining(['DATABASE_URL_FILE', 'OVERTURE_ENCRYPTION_KEY_FILE']))
    // A service called overture would set OVERTURE_PORT and other variables that the server rejects at its start.
    expect(pod.enableServiceLinks).toBe(false)
  })
})

describe.each(deployments.map((one) => [one.metadata.name, one] as const))('the deployment %s', (_name, deployment) => {
  const pod = podOf(deployment)
  const [container] = pod.containers

  test('has the time that a stop needs, and the load balancer notices in time', () => {
    expect(pod.terminationGracePeriodSeconds).toBe(drainSeconds + stopSeconds)
    const { periodSeconds, failureThreshold } = container!.readinessProbe!
    expect(periodSeconds * failureThreshold).toBeLessThan(drainSeconds)
  })

  test('is restarted for its own failures, not for an unavailable database', () => {
    const paths = [container!.startupProbe, container!.readinessProbe, container!.livenessProbe]
    expect(paths.map((probe) => probe?.httpGet)).toEqual(
      ['/healthz', '/readyz', '/healthz'].map((path) => ({ path, port: 'http' })),
    )
    expect(container!.ports).toEqual([{ name: 'http', containerPort: Number(settings.PORT.default) }])
    // The server waits up to five minutes for the locks of a migration at its start.
    const { periodSeconds, failureThreshold } = container!.startupProbe!
    expect(periodSeconds * failureThreshold).toBeGreaterThan(300)
  })

  test('is selected by its service, disruption budget and network policy', () => {
    const labels = labelsOf(deployment)
    const selects = (selector: Record<string, string>) =>
      Object.entries(selector).every(([name, value]) => labels[name] === value)
    const { matchLabels } = (deployment.spec as { selector: { matchLabels: Record<string, string> } }).selector
    expect(selects(matchLabels)).toBe(true)
    for (const [kind, field] of [
      ['PodDisruptionBudget', 'selector'],
      ['NetworkPolicy', 'podSelector'],
    ] as const) {
      const selectors = resources
        .filter((one) => one.kind === kind)
        .map((one) => (one.spec as Record<string, { matchLabels: Record<string, string> }>)[field]!.matchLabels)
      expect([kind, selectors.filter(selects).length]).toEqual([kind, 1])
    }
    const service = find('Service', 'overture').spec as { selector: Record<string, string> }
    expect(selects(service.selector)).toBe(deployment.metadata.name === 'overture-api')
  })
})

test("only named namespaces can reach a pod, because it trusts the caller's client address", () => {
  interface Policy {
    ingress: { from?: { namespaceSelector: { matchLabels: Record<string, string> } }[] }[]
  }
  const policies = resources.filter(({ kind }) => kind === 'NetworkPolicy')
  expect(policies).toHaveLength(2)
  for (const { metadata, spec } of policies) {
    const callers = (spec as unknown as Policy).ingress.map(({ from = [] }) =>
      from.map(({ namespaceSelector }) => namespaceSelector.matchLabels['kubernetes.io/metadata.name']),
    )
    const expected = metadata.name === 'overture-api' ? ['ingress-nginx', 'monitoring'] : ['monitoring']
    expect([metadata.name, callers]).toEqual([metadata.name, [expected]])
  }
})
