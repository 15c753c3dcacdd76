import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { CheckField, Form } from '../platform/form/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Dialog, LinkButton, Shown, useGo } from '../platform/ui/index.ts'
import { text } from './placement.messages.ts'
import { useSeeds, useStartTest, type StepToTest } from './placement.queries.ts'

/** Starts a placement test of a step's text, and opens its page. */
export function PlacementTestDialog({ step, close }: { step: StepToTest; close: () => void }) {
  const paths = usePaths()
  const go = useGo()
  const seeds = useSeeds()
  const [isWeekly, setWeekly] = useState(false)
  const start = useStartTest(({ id }) => go(paths.placementTest(id)))
  return (
    <Dialog title={text.startTitle} open close={close} foot={null}>
      <Shown of={seeds}>
        {({ results }) =>
          results.length === 0 ? (
            <>
              <p>{text.noSeeds}</p>
              <LinkButton to={paths.settings('seeds')}>{text.addSeeds}</LinkButton>
            </>
          ) : (
            <>
              <p>{text.startText(numberText(results.length))}</p>
              <Form
                operation="createPlacementTest"
                submit={() => start.mutate({ ...step, repeat: isWeekly ? 'weekly' : 'none' })}
                submitLabel={text.start}
                busy={start.isPending}
                error={start.error}
              >
                <CheckField label={text.weekly} checked={isWeekly} change={setWeekly} />
              </Form>
            </>
          )
        }
      </Shown>
    </Dialog>
  )
}
