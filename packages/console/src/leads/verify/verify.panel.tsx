import type { AddressVerification, VerifiedAddress } from '@overture/sdk'
import { verificationResults } from '@overture/contract/vocabularies.ts'
import { CsvLink } from '../../platform/api/csv-link.tsx'
import { useStale } from '../../platform/api/query.ts'
import { Form } from '../../platform/form/index.ts'
import { numberText } from '../../platform/time/format.ts'
import { Dialog, Lines, Progress, Row, Shown } from '../../platform/ui/index.ts'
import { VerificationBadge } from '../badges.tsx'
import { text as leadText, verificationReasonText } from '../leads.messages.ts'
import { text } from './verify.messages.ts'
import { problemsShown, useProblems, useStartVerification, useVerification } from './verify.queries.ts'

/** Verifies the addresses of a campaign's leads, then shows the progress and the results with their reasons. */
export function VerifyDialog({ campaignId, open, close }: { campaignId: string; open: boolean; close: () => void }) {
  const start = useStartVerification(campaignId)
  const stale = useStale()
  const end = (): void => {
    start.reset()
    close()
    void stale(['leads'], ['campaigns'], ['diagnosis'])
  }
  return (
    <Dialog title={text.title} open={open} close={end} foot={null}>
      {start.data === undefined ? (
        <Form
          operation="createVerification"
          submit={() => start.mutate()}
          submitLabel={text.start}
          busy={start.isPending}
          error={start.error}
        >
          <p>{text.lead}</p>
          <p>{text.rule}</p>
        </Form>
      ) : (
        <VerificationProgress id={start.data.id} />
      )}
    </Dialog>
  )
}

function VerificationProgress({ id }: { id: string }) {
  const verification = useVerification(id)
  return (
    <Shown of={verification}>
      {(data) => (
        <>
          <Progress label={text.progress} value={countChecked(data)} max={data.total} />
          <p role="status">
            {data.status === 'completed'
              ? text.done(numberText(data.total), numberText(data.creditsCharged))
              : text.running(numberText(countChecked(data)), numberText(data.total))}
          </p>
          {data.status === 'completed' && <Results verification={data} />}
        </>
      )}
    </Shown>
  )
}

function countChecked(data: AddressVerification): number {
  return verificationResults.reduce((sum, result) => sum + data[result], 0)
}

function Results({ verification }: { verification: AddressVerification }) {
  const { id, risky, undeliverable } = verification
  const problems = useProblems(id)
  return (
    <>
      <Lines label={text.counts}>
        {verificationResults.map((result) => (
          <li key={result}>
            {leadText.verificationResults[result]}: {numberText(verification[result])}
          </li>
        ))}
      </Lines>
      {risky + undeliverable === 0 ? (
        <p>{text.noProblems}</p>
      ) : (
        <Shown of={problems}>
          {(shown) => (
            <Lines label={text.problems}>
              {shown.map((address) => (
                <Problem key={address.email} address={address} />
              ))}
            </Lines>
          )}
        </Shown>
      )}
      {risky + undeliverable > problemsShown && <p>{text.first(numberText(problemsShown))}</p>}
      <Row>
        <CsvLink path={`/v2/verifications/${id}/results`} />
      </Row>
    </>
  )
}

function Problem({ address: { email, result, reasons, suggestion, checkedAt } }: { address: VerifiedAddress }) {
  const words = reasons.map((reason) => verificationReasonText[reason]).join(', ')
  return (
    <li>
      {result !== null && checkedAt !== null && <VerificationBadge verification={{ result, reasons, checkedAt }} />}
      <span>
        {email}
        {words === '' ? '' : `: ${words}.`} {suggestion !== null && text.meant(suggestion)}
      </span>
    </li>
  )
}
