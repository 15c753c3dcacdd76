import type { Analytics, Campaign } from '@overture/sdk'
import { Maximize, Printer, ZoomIn, ZoomOut } from 'lucide-react'
import { useMemo } from 'react'
import { useCampaignAnalytics } from '../../analytics/index.ts'
import { interestText } from '../../leads/index.ts'
import { numberText } from '../../platform/time/format.ts'
import { Button, Empty, ErrorNote, Row } from '../../platform/ui/index.ts'
import type { StepDraft } from '../draft.ts'
import type { SequenceView } from '../sequence-view.ts'
import { boxFor } from './boxes.ts'
import { Drawing, type DrawnNode } from './drawing.tsx'
import { toGraph } from './graph.ts'
import { layOut, type PlacedBox } from './layout.ts'
import { nodeText } from './node-text.ts'
import { PictureList } from './picture-list.tsx'
import { text } from './picture.messages.ts'
import styles from './picture.module.css'
import { useViewport } from './use-viewport.ts'

export interface PictureProps {
  campaign: Campaign
  view: SequenceView
}

function centerX(box: PlacedBox | undefined): number {
  return box === undefined ? 0 : box.x + box.width / 2
}

/** The sequence as a picture, from the same draft as the list. Nothing can be changed in it. */
export function Picture({ campaign, view }: PictureProps) {
  const analytics = useCampaignAnalytics(campaign.id, { interval: 'month' })
  if (view.steps.length === 0) return <Empty title={text.none}>{text.noneText}</Empty>
  return (
    <>
      <ErrorNote error={analytics.error} again={() => void analytics.refetch()} />
      <Drawn campaign={campaign} view={view} analytics={analytics.data ?? null} />
    </>
  )
}

function Drawn({ campaign, view, analytics }: PictureProps & { analytics: Analytics | null }) {
  const { steps, takesOver, campaigns } = view
  const names = campaigns.map(({ value, label }) => `${value} ${label}`).join()
  const { graph, nodes, layout } = useMemo(() => {
    const drawn = toGraph<StepDraft>(steps, new Map(campaigns.map(({ value, label }) => [value, label])))
    const facts = {
      steps,
      takesOver,
      analytics,
      labels: interestText,
      isReached: (key: string) => view.outlineAt(key).reached,
    }
    const words = new Map(
      drawn.nodes.map((node): [string, DrawnNode] => [
        node.key,
        { kind: node.kind, isBranch: node.kind === 'step' && node.step.type === 'branch', text: nodeText(node, facts) },
      ]),
    )
    const boxes = drawn.nodes.map(({ key, kind }) => boxFor(key, kind, words.get(key)!.text))
    return { graph: drawn, nodes: words, layout: layOut(boxes, drawn.links) }
  }, [steps, takesOver, names, analytics])
  const { frame, canvas, handlers, zoomIn, zoomOut, fit } = useViewport({
    ...layout,
    firstX: centerX(layout.boxes.find(({ key }) => key === steps[0]?.key)),
  })
  return (
    <section className={styles['picture']} aria-label={text.title(campaign.name)}>
      <p className={styles['printTitle']}>{text.title(campaign.name)}</p>
      <div className={styles['buttons']}>
        <Row>
          <Button small icon aria-label={text.zoomOut} title={text.zoomOut} onClick={zoomOut}>
            <ZoomOut size={iconSize} aria-hidden />
          </Button>
          <Button small icon aria-label={text.zoomIn} title={text.zoomIn} onClick={zoomIn}>
            <ZoomIn size={iconSize} aria-hidden />
          </Button>
          <Button small onClick={fit}>
            <Maximize size={iconSize} aria-hidden />
            {text.fit}
          </Button>
          <Button small onClick={() => print()}>
            <Printer size={iconSize} aria-hidden />
            {text.print}
          </Button>
        </Row>
      </div>
      <div ref={frame} className={styles['frame']} role="group" tabIndex={0} aria-label={text.area} {...handlers}>
        <Drawing label={text.label(numberText(steps.length))} layout={layout} nodes={nodes} canvas={canvas} />
      </div>
      <PictureList graph={graph} nodes={nodes} />
    </section>
  )
}

const iconSize = 16
