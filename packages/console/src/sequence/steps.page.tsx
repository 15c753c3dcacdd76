import type { Campaign, Lead } from '@overture/sdk'
import { structureEditableIn } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { CampaignPage } from '../campaigns/index.ts'
import { useSomeLeads } from '../leads/index.ts'
import { usePaths } from '../paths.ts'
import { numberText } from '../platform/time/format.ts'
import { Button, Empty, LinkButton, Row, Unsaved } from '../platform/ui/index.ts'
import { useAutosave } from './autosave.actions.ts'
import { ChangedElsewhere } from './changed-elsewhere.tsx'
import { useTextCheck } from './check.queries.ts'
import { moved, newStep, newVariant, replaceAt, type StepDraft } from './draft.ts'
import { PreviewSide } from './preview.panel.tsx'
import { SaveNote } from './save-note.tsx'
import { BranchCard } from './branch-card.tsx'
import { StepCard } from './step-card.panel.tsx'
import { text } from './sequence.messages.ts'
import styles from './sequence.module.css'

/** Steps, waits and variants; beside them what a real lead would get, as one types. */
export function StepsPage() {
  return (
    <CampaignPage tab="steps" wide>
      {(campaign) => <Sequence key={campaign.id} campaign={campaign} />}
    </CampaignPage>
  )
}

interface Place {
  step: string
  variant: string
}

function Sequence({ campaign }: { campaign: Campaign }) {
  const saving = useAutosave(campaign)
  const { draft } = saving
  const [place, setPlace] = useState<Place>(() => placeIn(draft[0]))
  const [leadId, setLeadId] = useState('')
  const [shown, setShown] = useState<'text' | 'preview'>('text')
  const step = draft.find(({ key }) => key === place.step) ?? draft[0]
  const variant = step?.variants.find(({ key }) => key === place.variant) ?? step?.variants[0]
  const leads = useSomeLeads(campaign.id).data?.results ?? []
  const previewLead = leads.find(({ id }) => id === leadId) ?? leads[0]
  const check = useTextCheck({
    campaignId: campaign.id,
    subject: variant?.subject ?? '',
    body: variant?.body ?? '',
    ...(step?.id && { stepId: step.id }),
    ...(previewLead && { leadIds: [previewLead.id] }),
  })
  const issues = check.data?.issues ?? []
  const add = (): void => {
    const added = newStep(crypto.randomUUID(), draft.length === 0)
    saving.change([...draft, added])
    setPlace(placeIn(added))
  }
  return (
    <>
      <Toolbar campaign={campaign} saving={saving} broken={issues.length > 0} />
      <div className={styles['switch']}>
        {(['text', 'preview'] as const).map((one) => (
          <Button key={one} small aria-pressed={shown === one} onClick={() => setShown(one)}>
            {one === 'text' ? text.mobileText : text.mobilePreview}
          </Button>
        ))}
      </div>
      <div className={styles['work']} data-shown={shown}>
        <StepList
          {...{
            campaign,
            saving,
            step,
            place: variant?.key ?? '',
            setPlace,
            add,
            issues,
            leads: leads.map(({ customVariables }) => customVariables),
            lead: previewLead ?? null,
          }}
        />
        <PreviewSide
          {...{
            check,
            leads,
            leadId: previewLead?.id ?? '',
            setLeadId,
            inThread: step !== undefined && step !== draft[0] && step.sameThread,
          }}
        />
      </div>
      <ChangedElsewhere saving={saving} />
      <Unsaved left={saving.state.kind !== 'saved'} flush={saving.flush} />
    </>
  )
}

function placeIn(step: StepDraft | undefined): Place {
  return { step: step?.key ?? '', variant: step?.variants[0]?.key ?? '' }
}

function Toolbar({
  campaign,
  saving,
  broken,
}: {
  campaign: Campaign
  saving: ReturnType<typeof useAutosave>
  broken: boolean
}) {
  const paths = usePaths()
  const review = text.review(numberText(campaign.leadCount))
  const running = campaign.status === 'active' || campaign.status === 'scheduled'
  return (
    <Row>
      <SaveNote state={saving.state} again={saving.save} />
      {running && saving.state.kind !== 'saved' && (
        <Button look="primary" small onClick={saving.save} busy={saving.state.kind === 'saving'}>
          {text.apply}
        </Button>
      )}
      {broken ? (
        <Button small disabledReason={text.reviewReason}>
          {review}
        </Button>
      ) : (
        <LinkButton small look="primary" to={paths.campaign(campaign.id, 'review')}>
          {review}
        </LinkButton>
      )}
    </Row>
  )
}

interface StepListProps {
  campaign: Campaign
  saving: ReturnType<typeof useAutosave>
  step: StepDraft | undefined
  /** The key of the variant that is shown. */
  place: string
  setPlace: (place: Place) => void
  add: () => void
  issues: NonNullable<ReturnType<typeof useTextCheck>['data']>['issues']
  leads: readonly Readonly<Record<string, unknown>>[]
  lead: Lead | null
}

function StepList({ campaign, saving, step, place, setPlace, add, issues, leads, lead }: StepListProps) {
  const { draft, change } = saving
  const fixed = structureEditableIn.includes(campaign.status) ? null : text.structureFixed
  return (
    <div className={styles['steps']}>
      {draft.length === 0 && (
        <Empty
          title={text.none}
          action={
            <Button look="primary" disabledReason={fixed} onClick={add}>
              {text.addStep}
            </Button>
          }
        >
          {text.noneText}
        </Empty>
      )}
      {draft.map((one, index) =>
        one.branches.length > 0 ? (
          <BranchCard key={one.key} step={one} index={index} />
        ) : (
          <StepCard
            key={one.key}
            campaignId={campaign.id}
            step={one}
            index={index}
            count={draft.length}
            open={one.key === step?.key}
            variantKey={place}
            fixed={fixed}
            issues={issues}
            custom={customNames(leads)}
            lead={lead}
            show={(variant) => setPlace({ step: one.key, variant })}
            change={(next) => change(replaceAt(draft, index, next))}
            move={(by) => change(moved(draft, index, index + by))}
            remove={() => change(draft.filter(({ key }) => key !== one.key))}
            addVariant={() => {
              const added = newVariant(crypto.randomUUID(), one.variants.length)
              change(replaceAt(draft, index, { ...one, variants: [...one.variants, added] }))
              setPlace({ step: one.key, variant: added.key })
            }}
          />
        ),
      )}
      {draft.length > 0 && (
        <div>
          <Button disabledReason={fixed} onClick={add}>
            {text.addStep}
          </Button>
        </div>
      )}
    </div>
  )
}

function customNames(leads: readonly Readonly<Record<string, unknown>>[]): string[] {
  return [...new Set(leads.flatMap((values) => Object.keys(values)))].map((name) => `customVariables.${name}`)
}
