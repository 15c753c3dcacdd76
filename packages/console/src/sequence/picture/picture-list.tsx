import { numberText } from '../../platform/time/format.ts'
import type { StepDraft } from '../draft.ts'
import type { DrawnNode } from './drawing.tsx'
import type { Graph, GraphNode } from './graph.ts'
import { text } from './picture.messages.ts'

interface PictureListProps {
  graph: Graph<StepDraft>
  nodes: ReadonlyMap<string, DrawnNode>
}

/** The picture in words, for screen readers: each step with its counts and where it leads. */
export function PictureList({ graph: { nodes: all, links }, nodes }: PictureListProps) {
  const byKey = new Map(all.map((node) => [node.key, node]))
  const words = (key: string): string => {
    const { title, lines, warning, counts } = nodes.get(key)!.text
    return [title, ...lines, ...(warning === null ? [] : [warning]), ...counts].join(', ')
  }
  const target = (key: string): string => {
    const to = links.find(({ from }) => from === key)?.to
    const node = to === undefined ? undefined : byKey.get(to)
    return node === undefined ? '' : text.leadsTo(targetText(node, nodes))
  }
  return (
    <ol className="visually-hidden" aria-label={text.asList}>
      {all.map((node) =>
        node.kind !== 'step' ? null : (
          <li key={node.key}>
            {words(node.key)}. {node.step.type !== 'branch' && target(node.key)}
            {node.step.type === 'branch' && (
              <ul>
                {all.map((exit) =>
                  exit.kind === 'exit' && exit.step.key === node.key ? (
                    <li key={exit.key}>
                      {text.path(words(exit.key))}. {target(exit.key)}
                    </li>
                  ) : null,
                )}
              </ul>
            )}
          </li>
        ),
      )}
    </ol>
  )
}

function targetText(node: GraphNode<StepDraft>, nodes: ReadonlyMap<string, DrawnNode>): string {
  if (node.kind === 'step') return text.targetStep(numberText(node.index + 1))
  return node.kind === 'end' ? text.targetEnd : nodes.get(node.key)!.text.title
}
