import { z } from 'zod'
import { deleted, listOf, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { createReportInput, report, type Report, reportsMax, updateReportInput } from './reports.ts'

const area = { environment: 'both', tag: 'Reports', success: [200] } as const

const exampleId = 'rep_1m3q8z0c0n7t5w2k9x'
const weekly: Report = {
  id: exampleId,
  name: 'Campaigns of the week',
  active: true,
  query: { groupBy: 'campaign' },
  every: 'week',
  on: 1,
  at: '08:00',
  timezone: 'Europe/Berlin',
  recipients: ['usr_1m3q8z0c0n7t5w2k9x'],
  nextRunAt: '2026-11-09T07:00:00.000Z',
  lastRun: {
    at: '2026-11-02T07:00:00.000Z',
    status: 'sent',
    from: '2026-10-26',
    to: '2026-11-01',
    deliveredTo: ['usr_1m3q8z0c0n7t5w2k9x'],
    skipped: [],
    error: null,
  },
  createdAt: '2026-10-29T12:00:00.000Z',
}

export const reportEndpoints = {
  listReports: endpoint({
    ...area,
    operationId: 'listReports',
    call: 'reports.list',
    method: 'GET',
    path: '/v2/reports',
    scope: 'read',
    summary: 'List reports',
    description: 'Newest first.',
    query: z.strictObject(pageQuery),
    output: listOf(report),
  }),
  createReport: endpoint({
    ...area,
    operationId: 'createReport',
    call: 'reports.create',
    method: 'POST',
    path: '/v2/reports',
    scope: 'write',
    summary: 'Schedule a report',
    description:
      'Asks a question of `GET /v2/analytics` every day, week or month, and mails the answer to users of the account as a table ' +
      'and a chart. Without `from` and `to` the numbers are those of the whole days since the report before. A server without ' +
      `system mail writes the event \`report.ready\` instead, and so does the test environment. There are ${reportsMax} reports at most.`,
    body: createReportInput,
    success: [201],
    output: report,
    examples: {
      body: { name: 'Campaigns of the week', query: { groupBy: 'campaign' }, every: 'week', on: 1, at: '08:00' },
      output: { ...weekly, recipients: [], lastRun: null },
    },
  }),
  getReport: endpoint({
    ...area,
    operationId: 'getReport',
    call: 'reports.get',
    method: 'GET',
    path: '/v2/reports/:id',
    scope: 'read',
    summary: 'Get a report',
    description: 'Returns when the report runs next, and what became of its last run.',
    output: report,
    errors: ['NOT_FOUND'],
    examples: { output: weekly },
  }),
  updateReport: endpoint({
    ...area,
    operationId: 'updateReport',
    call: 'reports.update',
    method: 'PUT',
    path: '/v2/reports/:id',
    scope: 'write',
    summary: 'Update a report',
    description:
      'Changes the fields that are sent. After a change of its time the report runs at the next one that is due. The numbers of ' +
      'the same days are not sent twice.',
    body: updateReportInput,
    output: report,
    errors: ['NOT_FOUND'],
    examples: { body: { active: false }, output: { ...weekly, active: false, nextRunAt: null } },
  }),
  deleteReport: endpoint({
    ...area,
    operationId: 'deleteReport',
    call: 'reports.delete',
    method: 'DELETE',
    path: '/v2/reports/:id',
    scope: 'write',
    summary: 'Delete a report',
    description: 'A run that has begun mails no further recipient.',
    output: deleted,
    errors: ['NOT_FOUND'],
    examples: { output: { id: exampleId, deleted: true } },
  }),
  runReport: endpoint({
    ...area,
    operationId: 'runReport',
    call: 'reports.run',
    method: 'POST',
    path: '/v2/reports/:id/run',
    scope: 'write',
    summary: 'Run a report now',
    description:
      'Starts a run and returns at once, also for a paused report. Read its result in `lastRun`. The schedule stays as it is. While ' +
      'a run is under way, another one is 409.',
    success: [202],
    output: report,
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: {
      output: { ...weekly, lastRun: { ...weekly.lastRun!, status: 'running', deliveredTo: [] } },
    },
  }),
}
