import type { Lead } from '@overture/sdk'
import { Trash2 } from 'lucide-react'
import { CheckField, NumberField } from '../platform/form/index.ts'
import { numberText, percentText } from '../platform/time/format.ts'
import { Button } from '../platform/ui/index.ts'
import { text as branchText } from './branches/branches.messages.ts'
import type { TextCheck } from './check.queries.ts'
import { replaceAt, variantShare, type StepDraft, type VariantDraft } from './draft.ts'
import type { SequenceView } from './sequence-view.ts'
import { text } from './sequence.messages.ts'
import styles from './sequence.module.css'
import { StepHead, type StepMoves } from './step-head.tsx'
import { timingText, variantGist } from './texts/step-texts.ts'
import { text as taskText } from './tasks/task-steps.messages.ts'
import { VariantForm } from './variant-form.panel.tsx'
import { WaitFields, WayField, type StepPartProps } from './wait-fields.tsx'

export interface StepCardProps {
  campaignId: string
  step: StepDraft
  index: number
  open: boolean
  variantKey: string
  view: SequenceView
  moves: StepMoves
  issues: TextCheck['issues']
  check: TextCheck | undefined
  custom: readonly string[]
  lead: Lead | null
  show: (variantKey: string) => void
  change: (step: StepDraft) => void
  addVariant: () => void
}

const iconSize = 16
const depthMax = 4

export function StepCard(props: StepCardProps) {
  const { step, index, open, variantKey, view, moves, show, change } = props
  const variant = step.variants.find(({ key }) => key === variantKey) ?? step.variants[0]!
  const at = step.variants.indexOf(variant)
  const { arms, first } = view.outlineAt(step.key)
  return (
    <section
      className={styles['step']}
      data-open={open}
      data-depth={Math.min(arms.length, depthMax)}
      aria-label={text.step(numberText(index + 1))}
    >
      <StepHead
        {...{ step, index, open, view, moves }}
        show={() => show(step.variants[0]!.key)}
        timing={timingText(step, index, view.takesOver)}
        gist={open ? '' : variantGist(variant)}
      >
        {open && (
          <div className={styles['stepBody']}>
            <Timing step={step} change={change} view={view} index={index} />
            <CheckField
              label={taskText.byHand}
              hint={taskText.byHandHint}
              disabled={view.fixed !== null}
              checked={step.byHand}
              change={(byHand) => change({ ...step, byHand })}
              error={view.issueAt(step.key, `variants[${at}].ai`)}
            />
            <VariantChips {...props} current={variant.key} />
            {step.variants.length > 1 && (
              <CheckField
                label={text.byReplies}
                hint={text.byRepliesHint}
                checked={step.variantSelection === 'auto'}
                change={(byReplies) => change({ ...step, variantSelection: byReplies ? 'auto' : 'weighted' })}
                error={view.issueAt(step.key, 'variantSelection')}
              />
            )}
            <VariantForm
              key={variant.key}
              campaignId={props.campaignId}
              stepId={step.id}
              variant={variant}
              inThread={!first && step.sameThread}
              subjectRefused={view.issueAt(step.key, `variants[${at}].subject`)}
              issues={props.issues}
              check={props.check}
              custom={props.custom}
              lead={props.lead}
              change={(next) => change({ ...step, variants: replaceAt(step.variants, at, next) })}
            />
          </div>
        )}
      </StepHead>
    </section>
  )
}

function Timing({ step, change, view, index }: StepPartProps & { index: number }) {
  const { first } = view.outlineAt(step.key)
  const { takesOver } = view
  const waits = index > 0 || takesOver
  if (!waits && !view.branching) return null
  return (
    <div className={styles['timing']}>
      {waits && <WaitFields step={step} change={change} view={view} label={text.wait} />}
      {view.branching && (
        <WayField
          view={view}
          step={step}
          label={branchText.thenOf}
          part="then"
          value={step.then}
          change={(then) => change({ ...step, then })}
        />
      )}
      {waits && (
        <CheckField
          label={text.sameThread}
          hint={!first ? text.sameThreadHint : takesOver ? branchText.theirThread : branchText.begin}
          disabled={view.fixed !== null || (first && !takesOver)}
          checked={step.sameThread && (!first || takesOver)}
          change={(sameThread) => change({ ...step, sameThread })}
          error={view.issueAt(step.key, 'sameThread')}
        />
      )}
    </div>
  )
}

function VariantChips({ step, current, show, change, addVariant }: StepCardProps & { current: string }) {
  const chosen = step.variants.find(({ key }) => key === current)
  const several = step.variants.length > 1
  const changeChosen = (changes: Partial<VariantDraft>): void =>
    change({ ...step, variants: step.variants.map((one) => (one === chosen ? { ...one, ...changes } : one)) })
  const remove = (): void => {
    const rest = step.variants.filter(({ key }) => key !== current)
    change({ ...step, variants: rest })
    show(rest[0]!.key)
  }
  return (
    <>
      <div className={styles['variants']} role="group" aria-label={text.variants}>
        {step.variants.map((one) => (
          <button
            key={one.key}
            type="button"
            className={styles['chip']}
            aria-pressed={one.key === current}
            aria-label={`${text.variant(one.label)} ${shareText(one, step)}`.trim()}
            onClick={() => show(one.key)}
          >
            {one.label} <span>{shareText(one, step)}</span>
          </button>
        ))}
        <Button small quietReason operation="updateCampaign" onClick={addVariant}>
          {text.addVariant}
        </Button>
        {several && chosen !== undefined && (
          <>
            <Button
              small
              icon
              look="quiet"
              quietReason
              operation="updateCampaign"
              aria-label={text.removeVariant}
              title={text.removeVariant}
              onClick={remove}
            >
              <Trash2 size={iconSize} aria-hidden />
            </Button>
            <NumberField
              label={text.weight}
              hint={text.weightHint}
              className={styles['weight']}
              min={0}
              value={chosen.weight}
              change={(weight) => changeChosen({ weight: weight ?? 0 })}
            />
          </>
        )}
      </div>
      {chosen !== undefined && (several || !chosen.enabled) && (
        <CheckField
          label={text.sendVariant(chosen.label)}
          checked={chosen.enabled}
          change={(enabled) => changeChosen({ enabled })}
        />
      )}
    </>
  )
}

function shareText(variant: VariantDraft, step: StepDraft): string {
  if (!variant.enabled) return text.off
  const share = step.variants.length > 1 ? variantShare(variant, step) : null
  return share === null ? '' : percentText(share)
}
