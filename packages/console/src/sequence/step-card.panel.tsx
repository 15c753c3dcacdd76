import type { Lead, WaitUnit } from '@overture/sdk'
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { CheckField, NumberField, SelectField } from '../platform/form/index.ts'
import { numberText, percentText } from '../platform/time/format.ts'
import { Button } from '../platform/ui/index.ts'
import type { TextCheck } from './check.queries.ts'
import { replaceAt, shareOf, type StepDraft } from './draft.ts'
import { text } from './sequence.messages.ts'
import styles from './sequence.module.css'
import { VariantForm } from './variant-form.panel.tsx'

export interface StepCardProps {
  campaignId: string
  step: StepDraft
  index: number
  count: number
  open: boolean
  variantKey: string
  /** Why steps can't be added, moved and removed now. */
  fixed: string | null
  issues: TextCheck['issues']
  custom: readonly string[]
  lead: Lead | null
  show: (variantKey: string) => void
  change: (step: StepDraft) => void
  move: (by: number) => void
  remove: () => void
  addVariant: () => void
}

const iconSize = 16
const units = ['minutes', 'hours', 'days', 'business_days'] as const

export function StepCard(props: StepCardProps) {
  const { step, index, open, variantKey, show, change } = props
  const variant = step.variants.find(({ key }) => key === variantKey) ?? step.variants[0]!
  const at = step.variants.indexOf(variant)
  return (
    <section className={styles['step']} data-open={open} aria-label={text.step(numberText(index + 1))}>
      <header className={styles['stepHead']}>
        <span className={styles['number']} aria-hidden>
          {index + 1}
        </span>
        <h2>
          <button type="button" aria-expanded={open} onClick={() => show(step.variants[0]!.key)}>
            {text.step(numberText(index + 1))}
          </button>
        </h2>
        <span>{index === 0 ? text.now : text.waitText(numberText(step.wait.value), text.units[step.wait.unit])}</span>
        <span className={styles['gist']}>{!open && (variant.subject || variant.body.slice(0, 80))}</span>
        {open && <StepButtons {...props} />}
      </header>
      {open && (
        <div className={styles['stepBody']}>
          {index > 0 && <Timing step={step} change={change} fixed={props.fixed} />}
          <VariantChips {...props} current={variant.key} />
          <VariantForm
            key={variant.key}
            campaignId={props.campaignId}
            stepId={step.id}
            variant={variant}
            inThread={index > 0 && step.sameThread}
            issues={props.issues}
            custom={props.custom}
            lead={props.lead}
            change={(next) => change({ ...step, variants: replaceAt(step.variants, at, next) })}
          />
        </div>
      )}
    </section>
  )
}

function StepButtons({ index, count, fixed, move, remove }: StepCardProps) {
  const buttons = [
    { label: text.moveUp, Icon: ArrowUp, act: () => move(-1), off: index === 0 },
    { label: text.moveDown, Icon: ArrowDown, act: () => move(1), off: index === count - 1 },
    { label: text.removeStep, Icon: Trash2, act: remove, off: false },
  ]
  return buttons
    .filter(({ off }) => !off)
    .map(({ label, Icon, act }) => (
      <Button
        key={label}
        small
        icon
        look="quiet"
        aria-label={label}
        title={label}
        disabledReason={fixed}
        quietReason
        onClick={act}
      >
        <Icon size={iconSize} aria-hidden />
      </Button>
    ))
}

function Timing({ step, change, fixed }: { step: StepDraft; change: (step: StepDraft) => void; fixed: string | null }) {
  const off = fixed !== null
  return (
    <div className={styles['timing']}>
      <NumberField
        label={text.wait}
        min={0}
        disabled={off}
        value={step.wait.value}
        change={(value) => change({ ...step, wait: { ...step.wait, value: value ?? 0 } })}
      />
      <SelectField
        label={text.waitUnit}
        disabled={off}
        value={step.wait.unit}
        choices={units.map((value) => ({ value, label: text.units[value] }))}
        change={(unit) => change({ ...step, wait: { ...step.wait, unit: unit as WaitUnit } })}
      />
      <CheckField
        label={text.sameThread}
        hint={text.sameThreadHint}
        disabled={off}
        checked={step.sameThread}
        change={(sameThread) => change({ ...step, sameThread })}
      />
    </div>
  )
}

function VariantChips({ step, current, show, change, addVariant }: StepCardProps & { current: string }) {
  const chosen = step.variants.find(({ key }) => key === current)
  const several = step.variants.length > 1
  const remove = (): void => {
    const rest = step.variants.filter(({ key }) => key !== current)
    change({ ...step, variants: rest })
    show(rest[0]!.key)
  }
  return (
    <div className={styles['variants']} role="group" aria-label={text.variants}>
      {step.variants.map((one) => (
        <button
          key={one.key}
          type="button"
          className={styles['chip']}
          aria-pressed={one.key === current}
          aria-label={text.variant(one.label)}
          onClick={() => show(one.key)}
        >
          {one.label}
          {several && <span>{percentText(shareOf(one, step.variants))}</span>}
        </button>
      ))}
      <Button small onClick={addVariant}>
        {text.addVariant}
      </Button>
      {several && chosen !== undefined && (
        <>
          <NumberField
            label={text.weight}
            className={styles['weight']}
            min={0}
            value={chosen.weight}
            change={(weight) =>
              change({
                ...step,
                variants: step.variants.map((one) => (one === chosen ? { ...one, weight: weight ?? 0 } : one)),
              })
            }
          />
          <Button small icon look="quiet" aria-label={text.removeVariant} title={text.removeVariant} onClick={remove}>
            <Trash2 size={iconSize} aria-hidden />
          </Button>
        </>
      )}
    </div>
  )
}
