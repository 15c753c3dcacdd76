import type { Lead } from '@overture/sdk'
import { lazy, Suspense, useRef, useState } from 'react'
import { useCampaign } from '../campaigns/index.ts'
import { EditorField, insertedName, knownVariables } from '../editor/index.ts'
import { PlainText } from '../platform/frame/index.ts'
import { usePermissionReason } from '../platform/session/permission.ts'
import { numberText } from '../platform/time/format.ts'
import { Button } from '../platform/ui/index.ts'
import type { TextCheck } from './check.queries.ts'
import type { VariantDraft } from './draft.ts'
import { useModels } from './models.queries.ts'
import { placed } from './texts/placed.ts'
import { Proposals } from './texts/proposals.tsx'
import { isProposed, proposalsFor, unknownPlaces } from './texts/proposed-texts.ts'
import { SubjectField } from './texts/subject-field.tsx'
import { text } from './sequence.messages.ts'
import { PlacementTestDialog, placementText } from '../placement/index.ts'
import { TestMessageDialog } from './test-message.panel.tsx'
import styles from './sequence.module.css'

const AiDraft = lazy(() => import('./ai-draft.panel.tsx').then(({ AiDraft: Lazy }) => ({ default: Lazy })))

export interface VariantFormProps {
  campaignId: string
  stepId: string | null
  variant: VariantDraft
  inThread: boolean
  /** The API's message about the subject as it was sent. */
  subjectRefused: string | undefined
  issues: TextCheck['issues']
  check: TextCheck | undefined
  custom: readonly string[]
  lead: Lead | null
  change: (variant: VariantDraft) => void
}

export function VariantForm(props: VariantFormProps) {
  const { campaignId, stepId, variant, inThread, issues, check, custom, lead, change } = props
  const [open, setOpen] = useState<'ai' | 'test' | 'placement' | null>(null)
  const mayChange = usePermissionReason('updateCampaign') === null
  const latest = useRef({ variant, change })
  latest.current = { variant, change }
  const senderIds = useCampaign(campaignId).data?.sendingAccountIds
  const variables = [...knownVariables, ...custom.map(insertedName)]
  const bodyIssues = issues.filter(({ field }) => field === 'body')
  const proposals = proposalsFor(check, 'body', variant.body)
  const unsaid = bodyIssues.filter((issue) => !isProposed(issue, variant.body, proposals))
  return (
    <>
      {!inThread && (
        <SubjectField
          value={variant.subject}
          refused={props.subjectRefused}
          change={(subject) => change({ ...variant, subject })}
          {...{ check, issues }}
        />
      )}
      {mayChange ? (
        <EditorField
          label={text.body}
          value={variant.body}
          change={(body) => latest.current.change({ ...latest.current.variant, body })}
          variables={variables}
          issues={bodyIssues}
          unknown={unknownPlaces(check, variant.body)}
          error={unsaid.map(placed).join(' ')}
        />
      ) : (
        <p className={styles['mailText']}>
          <PlainText>{variant.body}</PlainText>
        </p>
      )}
      <Proposals part="body" value={variant.body} check={check} change={(body) => change({ ...variant, body })} />
      <TextTools {...props} open={setOpen} noSender={senderIds?.length === 0} />
      {open === 'test' && stepId !== null && variant.id !== null && lead !== null && (
        <TestMessageDialog
          {...{ campaignId, stepId }}
          leadId={lead.id}
          variantId={variant.id}
          close={() => setOpen(null)}
        />
      )}
      {open === 'placement' && stepId !== null && variant.id !== null && lead !== null && (
        <PlacementTestDialog
          step={{
            campaignId,
            stepId,
            variantId: variant.id,
            leadId: lead.id,
            sendingAccountIds: senderIds ?? [],
          }}
          close={() => setOpen(null)}
        />
      )}
      {open === 'ai' && (
        <Suspense fallback={null}>
          <AiDraft
            campaignId={campaignId}
            lead={lead}
            close={() => setOpen(null)}
            take={({ subject, body }) => change({ ...variant, body, ...(!inThread && subject !== '' && { subject }) })}
          />
        </Suspense>
      )}
    </>
  )
}

interface TextToolsProps extends VariantFormProps {
  open: (tool: 'ai' | 'test' | 'placement') => void
  noSender: boolean
}

function TextTools({ open, noSender, ...props }: TextToolsProps) {
  // The model writes as soon as the panel opens, so the price is shown before.
  const { first: model, connected } = useModels()
  const price = model?.creditsPerGeneration ?? 0
  const noTest = noTestBecause(props, noSender)
  return (
    <div className={styles['tools']}>
      <Button operation="generateEmail" onClick={() => open('ai')}>
        {!connected ? text.startFromPattern : price === 0 ? text.draftWithAi : text.draftFor(numberText(price))}
      </Button>
      <Button operation="sendTestMessage" disabledReason={noTest} onClick={() => open('test')}>
        {text.test}
      </Button>
      <Button operation="createPlacementTest" disabledReason={noTest} onClick={() => open('placement')}>
        {placementText.button}
      </Button>
    </div>
  )
}

function noTestBecause({ stepId, variant, lead }: VariantFormProps, noSender: boolean): string | null {
  if (noSender) return text.testNoSender
  if (lead === null) return text.testNoLead
  return stepId === null || variant.id === null ? text.testNotSaved : null
}
