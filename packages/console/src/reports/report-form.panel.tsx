import { groupDimensions } from '@overture/contract/vocabularies.ts'
import type { Report } from '@overture/sdk'
import { useState } from 'react'
import { useCampaigns } from '../campaigns/index.ts'
import { type Choice, Form, Pair, SelectField, TextField, withChosen } from '../platform/form/index.ts'
import { useTenantTime } from '../platform/time/now.tsx'
import { Dialog, findIssue } from '../platform/ui/index.ts'
import { useSenders } from '../sending-accounts/index.ts'
import { useTagChoices } from '../tags/index.ts'
import { type DaysChoice, type FieldsProps, type ReportFields, toFields, toInput } from './report-fields.ts'
import { rangeText } from './report-text.ts'
import { RecipientsField } from './recipients-field.panel.tsx'
import { useSaveReport } from './reports.actions.ts'
import { dimensionText, text } from './reports.messages.ts'
import { TimeFields } from './time-fields.tsx'

interface ReportDialogProps {
  /** The report to change; null for a new one. */
  report: Report | null
  close: () => void
  saved: (report: Report) => void
}

const nameLengthMax = 100

/** The form of a new report, or of one that is changed. */
export function ReportDialog({ report, close, saved }: ReportDialogProps) {
  const { zone } = useTenantTime()
  const [fields, setFields] = useState<ReportFields>(() => toFields(report, zone))
  const put = (part: Partial<ReportFields>): void => setFields({ ...fields, ...part })
  const save = useSaveReport(report?.id ?? null, saved)
  const issue = (path: string): string | undefined => findIssue(save.error, path)
  return (
    <Dialog title={report === null ? text.add : text.editTitle} wide open close={close} foot={null}>
      <Form
        operation={report === null ? 'createReport' : 'updateReport'}
        submit={() => save.mutate(toInput(fields, report))}
        submitLabel={report === null ? text.addButton : text.save}
        busy={save.isPending}
        error={save.error}
        reason={missingText(fields)}
      >
        <TextField
          label={text.name}
          hint={text.nameHint}
          maxLength={nameLengthMax}
          value={fields.name}
          change={(name) => put({ name })}
          error={issue('name')}
        />
        <QueryFields fields={fields} put={put} issue={issue} />
        <DaysFields fields={fields} put={put} issue={issue} report={report} />
        <TimeFields fields={fields} put={put} issue={issue} />
        <RecipientsField
          before={report?.recipients ?? []}
          value={fields.recipients}
          change={(recipients) => put({ recipients })}
          error={recipientsIssue(fields, issue)}
        />
      </Form>
    </Dialog>
  )
}

function missingText({ name, days, from, to }: ReportFields): string | null {
  if (name.trim() === '') return text.nameReason
  return days === 'fixed' && (from === '' || to === '') ? text.daysReason : null
}

/** The issue of the list of recipients, or of the first recipient that is refused. */
function recipientsIssue({ recipients }: ReportFields, issue: FieldsProps['issue']): string | undefined {
  const issues = recipients.map((_, at) => issue(`recipients[${at}]`))
  return issue('recipients') ?? issues.find((one) => one !== undefined)
}

/** The fields of the numbers that the report contains. */
function QueryFields({ fields, put, issue }: FieldsProps) {
  const { by, then, campaignId, sendingAccountId, tagId } = fields
  const campaigns = useCampaigns().data?.results ?? []
  const senders = useSenders().data?.results ?? []
  const tags = useTagChoices()
  const dimensions = groupDimensions.map((value) => ({ value, label: dimensionText[value] }))
  return (
    <Pair>
      <SelectField
        label={text.by}
        value={by}
        choices={dimensions}
        change={(value) => put({ by: value, ...(value === then && { then: '' }) })}
        error={issue('query.groupBy')}
      />
      <SelectField
        label={text.then}
        value={then}
        choices={[{ value: '', label: text.nothingElse }, ...dimensions.filter(({ value }) => value !== by)]}
        change={(value) => put({ then: value })}
      />
      <SelectField
        label={text.campaign}
        value={campaignId}
        choices={withChosen(
          [{ value: '', label: text.allCampaigns }, ...campaigns.map(({ id, name }) => ({ value: id, label: name }))],
          { value: campaignId, label: text.otherCampaign },
        )}
        change={(value) => put({ campaignId: value })}
        error={issue('query.campaignId')}
      />
      <SelectField
        label={text.sender}
        value={sendingAccountId}
        choices={withChosen(
          [{ value: '', label: text.allSenders }, ...senders.map(({ id, email }) => ({ value: id, label: email }))],
          { value: sendingAccountId, label: text.otherSender },
        )}
        change={(value) => put({ sendingAccountId: value })}
        error={issue('query.sendingAccountId')}
      />
      <SelectField
        label={text.tag}
        value={tagId}
        choices={withChosen([{ value: '', label: text.anyTag }, ...tags.choices], {
          value: tagId,
          label: tags.unknown,
        })}
        change={(value) => put({ tagId: value })}
        error={issue('query.tagId')}
      />
    </Pair>
  )
}

/** The days that each report is about. */
function DaysFields({ fields, put, issue, report }: FieldsProps & { report: Report | null }) {
  const { days, from, to } = fields
  return (
    <>
      <SelectField
        label={text.daysOf}
        value={days}
        choices={daysChoices(report)}
        change={(value) => put({ days: value as DaysChoice })}
      />
      {days === 'fixed' && (
        <Pair>
          <TextField
            label={text.from}
            type="date"
            value={from}
            change={(value) => put({ from: value })}
            error={issue('query.from')}
          />
          <TextField
            label={text.to}
            type="date"
            value={to}
            change={(value) => put({ to: value })}
            error={issue('query.to')}
          />
        </Pair>
      )}
    </>
  )
}

function daysChoices(report: Report | null): readonly Choice[] {
  const known = (['since', 'fixed'] as const).map((value) => ({ value, label: text.daysChoices[value] }))
  if (report === null || toFields(report, report.timezone).days !== 'kept') return known
  const { from = '', to = '', timezone = report.timezone } = report.query
  return [...known, { value: 'kept', label: text.keepDays(rangeText(from, to, timezone)) }]
}
