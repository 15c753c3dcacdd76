import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { endlessTemplates, hostileTemplates } from '@overture/testing/templates/hostile-templates.ts'
import { templateRoutes } from './index.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ routes: () => templateRoutes(testRenderer) })
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.live, body })

describe('templates', () => {
  test('can be created, read, changed, searched and deleted', async () => {
    const made = await call('POST', '/v2/templates', {
      name: 'Intro',
      subject: 'Hi {{ firstName }}',
      body: 'Hello {{ firstName | default: "there" }}',
      tags: ['cold'],
    })
    expect(made.status, made.text).toBe(201)
    expect(made.body).toMatchObject({ id: expect.stringMatching(/^tpl_/), name: 'Intro', tags: ['cold'] })
    const { id } = made.body
    expect((await call('GET', `/v2/templates/${id}`)).body).toEqual(made.body)
    const back = await call('PUT', `/v2/templates/${id}`, { ...made.body, name: 'Opening' })
    expect(back.body).toMatchObject({ id, name: 'Opening', subject: 'Hi {{ firstName }}' })
    expect((await call('PUT', `/v2/templates/${id}`, { createdAt: '2020-01-01T00:00:00.000Z' })).status).toBe(400)
    expect((await call('GET', '/v2/templates?q=open&tag=cold')).body.pagination.totalCount).toBe(1)
    expect((await call('GET', '/v2/templates?q=nothing')).body.results).toEqual([])
    expect((await server.call('GET', `/v2/templates/${id}`, { key: server.keys.test })).status).toBe(404)
    expect((await call('DELETE', `/v2/templates/${id}`)).body).toEqual({ id, deleted: true })
    expect((await call('GET', `/v2/templates/${id}`)).status).toBe(404)
  })

  test('with errors are refused when they are saved, every part at once', async () => {
    const answer = await call('POST', '/v2/templates', { name: 'Broken', subject: '{{ firstName', body: '{% if %}' })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details.issues.map((issue: { path: string }) => issue.path)).toEqual(['subject', 'body'])
  })

  test.each(Object.entries(hostileTemplates))(
    'with %s are refused by name when they are saved',
    async (_name, texts) => {
      const { id } = (await call('POST', '/v2/templates', { name: 'Fine' })).body
      for (const body of fc.sample(texts, 3)) {
        for (const [method, path] of [
          ['POST', '/v2/templates'],
          ['PUT', `/v2/templates/${id}`],
        ] as const) {
          const answer = await call(method, path, { name: 'Hostile', body })
          expect(answer.status, answer.text.slice(0, 300)).toBe(400)
          expect(answer.body.error.details.issues).toMatchObject([{ path: 'body', rule: 'template' }])
        }
      }
    },
  )

  test('that end their thread are refused, and later without another thread', async () => {
    const [body = ''] = fc.sample(endlessTemplates, 1)
    for (let turn = 0; turn < 3; turn++) {
      const answer = await call('POST', '/v2/templates', { name: 'Endless', body })
      expect(answer.body.error.details.issues).toMatchObject([{ path: 'body', rule: 'template' }])
    }
  })

  test('have at most 20,000 characters', async () => {
    expect((await call('POST', '/v2/templates', { name: 'Long', body: 'x'.repeat(20_000) })).status).toBe(201)
    const answer = await call('POST', '/v2/templates', { name: 'Longer', body: 'x'.repeat(20_001) })
    expect(answer.body.error.details.issues).toMatchObject([{ path: 'body' }])
  })

  test('from before these rules are refused by a preview', async () => {
    for (const texts of [...Object.values(hostileTemplates), endlessTemplates]) {
      const { id } = (await call('POST', '/v2/templates', { name: 'Old' })).body
      const [body = ''] = fc.sample(texts, 1)
      await server.app.db.execute('update templates set body = $2 where id = $1', [id, body])
      const answer = await call('POST', `/v2/templates/${id}/preview`, { lead: { firstName: 'Ada' } })
      expect([200, 400], answer.text.slice(0, 300)).toContain(answer.status)
    }
  })

  test('can be previewed with any lead, and never with a blank', async () => {
    const { id } = (
      await call('POST', '/v2/templates', {
        name: 'P',
        subject: 'For {{ company }}',
        body: '<p>Dear {{ firstName }}</p>',
      })
    ).body
    const shown = await call('POST', `/v2/templates/${id}/preview`, {
      lead: { firstName: 'Zoë & Co', company: 'Acme' },
    })
    expect(shown.body).toEqual({ subject: 'For Acme', text: 'Dear Zoë & Co', html: '<p>Dear Zoë &amp; Co</p>' })
    const missing = await call('POST', `/v2/templates/${id}/preview`, { lead: { firstName: 'Zoë' } })
    expect(missing.body.error.details.issues).toMatchObject([{ path: 'lead.company', rule: 'missing_variable' }])
    expect((await call('POST', `/v2/templates/${id}/preview`, {})).status).toBe(400)
    expect((await call('POST', `/v2/templates/${id}/preview`, { leadId: 'led_nobody' })).status).toBe(404)
  })
})
