import { z } from 'zod'
import { email, namedObject } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { tagName, tagsMax } from '../tags/tags.ts'
import { branchesMax, stepsMax, variantsMax } from '../vocabularies.ts'
import {
  campaign,
  campaignBytesMax,
  campaignName,
  schedule,
  scheduleInput,
  settings,
  settingsInput,
  stepInput,
  stepKey,
} from './campaigns.ts'
import { branchInput, entry } from './conditions.ts'
import { variantInput } from './variants.ts'

export const campaignDocumentFormat = 'overture-campaign/1'

const documentVariant = variantInput.omit({ id: true, templateId: true }).meta({ id: 'CampaignDocumentVariant' })
const documentBranch = branchInput.omit({ id: true }).meta({ id: 'CampaignDocumentBranch' })
export const documentStep = stepInput
  .omit({ id: true, position: true })
  .extend({
    key: stepKey.meta({ description: 'Unique in the document. Branches and conditions refer to steps by it.' }),
    variants: z.array(documentVariant).max(variantsMax).optional(),
    branches: z.array(documentBranch).max(branchesMax).optional(),
  })
  .meta({ id: 'CampaignDocumentStep' })
export type DocumentStep = z.infer<typeof documentStep>

/** A campaign as a file, without secrets, leads and numbers. Source: docs/moving-out.md. */
export const campaignDocument = namedObject('CampaignDocument', {
  format: z.literal(campaignDocumentFormat, {
    error: `This is not a campaign that this release can read. It reads the format ${campaignDocumentFormat}.`,
  }),
  name: campaignName,
  steps: z.array(documentStep).max(stepsMax),
  schedule,
  settings: settings.omit({ followsListId: true }).meta({ id: 'CampaignDocumentSettings' }),
  senders: z.array(email).max(1000).meta({ description: 'The addresses of the sending accounts.' }),
  entry: entry.nullable(),
  tags: z.array(tagName).max(tagsMax).meta({ description: 'The names of the tags.' }),
})
export type CampaignDocument = z.infer<typeof campaignDocument>

/** A document as an import reads it: fields that it lacks have the defaults of a new campaign. */
export const campaignDocumentInput = campaignDocument
  .extend({
    schedule: scheduleInput.default({}),
    settings: settingsInput.omit({ followsListId: true }).default({}).meta({ id: 'CampaignDocumentSettingsInput' }),
    senders: campaignDocument.shape.senders.default([]),
    entry: campaignDocument.shape.entry.default(null),
    tags: campaignDocument.shape.tags.default([]),
  })
  .meta({ id: 'CampaignDocumentInput' })
export type CampaignDocumentInput = z.infer<typeof campaignDocumentInput>

const note = namedObject('CampaignImportNote', {
  path: z.string().meta({ description: 'The place in the document, such as `senders[0]`.' }),
  message: z.string(),
})
export type ImportNote = z.infer<typeof note>

const exampleDocument: z.input<typeof campaignDocumentInput> = {
  format: campaignDocumentFormat,
  name: 'Spring outreach',
  steps: [
    {
      key: 'intro',
      type: 'email',
      variants: [{ subject: 'A question about {{ companyName }}', body: 'Hello {{ firstName | default: "there" }}' }],
    },
  ],
  schedule: { timezone: 'Europe/Berlin' },
  senders: ['ada@example.com'],
}

export const campaignDocumentEndpoints = {
  exportCampaign: endpoint({
    operationId: 'exportCampaign',
    call: 'campaigns.export',
    method: 'GET',
    path: '/v2/campaigns/:id/export',
    environment: 'both',
    scope: 'read',
    tag: 'Campaigns',
    summary: 'Export a campaign as a document',
    description:
      'Returns the sequence, the schedule, the settings, the names of the tags and the addresses of the sending accounts, without ' +
      'secrets and leads. Import it here, in another account or on another server.',
    success: [200],
    output: campaignDocument,
    errors: ['NOT_FOUND'],
  }),
  importCampaign: endpoint({
    operationId: 'importCampaign',
    call: 'campaigns.import',
    method: 'POST',
    path: '/v2/campaigns/import',
    environment: 'both',
    scope: 'write',
    tag: 'Campaigns',
    summary: 'Import a campaign from a document',
    description:
      'Creates a draft from an exported campaign, and the tags that this account lacks. Everything else that the document names and ' +
      'this account lacks is left out, and `notes` says so for each.',
    body: namedObject('ImportCampaignInput', { document: campaignDocumentInput }),
    bodyBytesMax: campaignBytesMax,
    examples: { body: { document: exampleDocument } },
    success: [201],
    output: namedObject('ImportedCampaign', { campaign, notes: z.array(note) }),
    errors: ['NOT_FOUND'],
  }),
}
