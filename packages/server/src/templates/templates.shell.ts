import { copyProfile } from '@overture/ground/lead-profile.ts'
import { invalid, notFound, type ValidationIssue } from '@overture/contract/errors.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import type { PreviewTemplateInput, Template, UpdateTemplateInput } from '@overture/contract/templates/templates.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { RequestContext } from '../platform/http/route.ts'
import { newId } from '../platform/ids.ts'
import { leadScope, type LeadVariables } from './render.ts'
import { postponedMessage, type TemplateRenderer } from './renderer.client.ts'
import { deleteTemplate, findLeadVariables, findTemplate, upsertTemplate, type TemplateRow } from './templates.sql.ts'

interface NewTemplate {
  name: string
  subject: string
  body: string
  tags: string[]
}

export async function createTemplate(
  { tenant, now }: RequestContext,
  tx: Transaction,
  input: NewTemplate,
): Promise<Template> {
  const row = { ...input, id: newId('tpl'), createdAt: now, updatedAt: now }
  return presentTemplate(await upsertTemplate(tx, tenant, row))
}

export async function changeTemplate(
  { tenant, now }: RequestContext,
  tx: Transaction,
  change: { id: string; input: UpdateTemplateInput },
): Promise<Template> {
  const row = await findTemplate(tx, tenant, change.id)
  if (!row) throw notFound()
  const { name = row.name, subject = row.subject, body = row.body, tags = row.tags } = change.input
  const issues = changedReadOnly(presentTemplate(row), change.input, ['id', 'createdAt', 'updatedAt'])
  if (issues.length > 0) throw invalid(...issues)
  return presentTemplate(await upsertTemplate(tx, tenant, { ...row, name, subject, body, tags, updatedAt: now }))
}

export async function removeTemplate({ tenant }: RequestContext, tx: Transaction, id: string) {
  if ((await deleteTemplate(tx, tenant, id)) === 0) throw notFound()
  return { id, deleted: true as const }
}

/** Only reads. A variable without a value and without `default` is refused with 400, as sending it would be blocked. */
export async function previewTemplate(
  { app, tenant }: RequestContext,
  { id, input, renderer }: { id: string; input: PreviewTemplateInput; renderer: TemplateRenderer },
) {
  const row = await findTemplate(app.db, tenant, id)
  if (!row) throw notFound()
  const lead = input.lead ? leadVariables(input.lead) : await findLeadVariables(app.db, tenant, input.leadId ?? '')
  if (!lead) throw notFound()
  const rendered = await renderer.parts(tenant, {
    template: { subject: row.subject, body: row.body },
    scope: { ...leadScope(lead), ...sample(app.config.publicUrl) },
    seed: `${id} ${lead.email}`,
  })
  switch (rendered.kind) {
    case 'rendered':
      return { subject: rendered.subject, text: rendered.text, html: rendered.html }
    case 'missing_variable':
      throw invalid(...rendered.names.map((name) => missing(name)))
    case 'template_error':
      throw invalid({ path: 'body', rule: 'template', message: rendered.message })
    case 'postponed':
      throw invalid({ path: 'body', rule: 'template', message: postponedMessage })
  }
}

export function presentTemplate(row: TemplateRow): Template {
  return {
    id: row.id,
    name: row.name,
    subject: row.subject,
    body: row.body,
    tags: row.tags,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function leadVariables(lead: NonNullable<PreviewTemplateInput['lead']>): LeadVariables {
  return {
    email: lead.email ?? 'lead@example.com',
    ...copyProfile(lead),
    customVariables: lead.customVariables ?? {},
  }
}

// Sample values for variables that only a campaign defines.
function sample(publicUrl: string) {
  return {
    sender: { email: 'sender@example.com', fromName: 'Your name', signature: 'Your name' },
    unsubscribeUrl: `${publicUrl}/u/preview`,
    meetingUrl: `${publicUrl}/b/preview`,
  }
}

function missing(name: string): ValidationIssue {
  return { path: `lead.${name}`, rule: 'missing_variable', message: `${name} has neither a value nor a default.` }
}
