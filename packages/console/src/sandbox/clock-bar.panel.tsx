import type { SandboxAdvance } from '@overture/sdk'
import { lazy, Suspense, useState } from 'react'
import { longTimeText } from '../platform/time/format.ts'
import { useTenantTime } from '../platform/time/now.tsx'
import { Button, Dialog, ErrorNote } from '../platform/ui/index.ts'
import { useAdvance, useFreeze } from './clock.actions.ts'
import { useClock } from './clock.queries.ts'
import { text } from './sandbox.messages.ts'
import styles from './sandbox.module.css'

const Happened = lazy(() => import('./happened.tsx').then(({ Happened: Lazy }) => ({ default: Lazy })))

const ChooseTime = lazy(() => import('./choose-time.tsx').then(({ ChooseTime: Lazy }) => ({ default: Lazy })))

const jumps = [
  ['1h', text.hour],
  ['1d', text.day],
  ['3d', text.threeDays],
] as const

/** The violet bar on every page of the test environment: shows the time of its clock, and moves the clock. */
export function ClockBar() {
  const [advanced, setAdvanced] = useState<SandboxAdvance | null>(null)
  const [choosing, setChoosing] = useState(false)
  const advance = useAdvance((result) => {
    setChoosing(false)
    setAdvanced(result)
  })
  const freeze = useFreeze()
  const clock = useClock()
  const { now, zone } = useTenantTime()
  const frozen = clock.data?.frozen ?? false
  const target = clock.data?.target ?? null
  // Another user is moving the clock, or this page was reloaded while it moved the clock.
  const movedElsewhere = target !== null && !advance.isPending
  return (
    <section className={styles['bar']} aria-label={text.testClock}>
      <strong className={styles['mark']}>{text.test}</strong>
      <time className={styles['now']} dateTime={now}>
        {longTimeText(now, zone)}
      </time>
      {frozen && <span>{text.frozen}</span>}
      <span role="status">{target !== null && text.moving(longTimeText(target, zone))}</span>
      <div className={styles['controls']} aria-busy={advance.isPending}>
        <Button
          small
          quietReason
          operation="setSandboxClock"
          aria-pressed={frozen}
          onClick={() => freeze.mutate(!frozen)}
        >
          {frozen ? text.unfreeze : text.freeze}
        </Button>
        {jumps.map(([by, label]) => (
          <Button
            key={by}
            small
            operation="advanceSandboxClock"
            busy={advance.isPending}
            disabledReason={movedElsewhere ? text.movedElsewhere : null}
            quietReason
            onClick={() => advance.mutate({ by })}
          >
            {label}
          </Button>
        ))}
        <Button small quietReason operation="advanceSandboxClock" onClick={() => setChoosing(true)}>
          {text.to}
        </Button>
      </div>
      <ErrorNote error={choosing ? null : (advance.error ?? freeze.error)} />
      <Suspense fallback={null}>
        {choosing && (
          <ChooseTime
            now={now}
            busy={advance.isPending}
            error={advance.error}
            go={(to) => advance.mutate({ to })}
            close={() => setChoosing(false)}
          />
        )}
      </Suspense>
      <Dialog title={text.happened} wide open={advanced !== null} close={() => setAdvanced(null)}>
        {advanced !== null && (
          <>
            <p>{text.happenedTotal(longTimeText(advanced.from, zone), longTimeText(advanced.to, zone))}</p>
            <Suspense fallback={null}>
              <Happened advance={advanced} />
            </Suspense>
          </>
        )}
      </Dialog>
    </section>
  )
}
