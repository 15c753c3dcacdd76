import { expect, test } from 'vitest'
import { pathEnd, type FlowStep, type Way } from '../branches/flow.ts'
import { toGraph } from './graph.ts'

const email = (key: string, then: Way = null): FlowStep => ({ key, type: 'email', then, branches: [] })
const fork = (key: string, ways: Way[], then: Way = null): FlowStep => ({
  key,
  type: 'branch',
  then,
  branches: ways.map((goTo) => ({ goTo })),
})
const shown = (steps: FlowStep[], campaigns = new Map<string, string>()) => {
  const { nodes, links } = toGraph(steps, campaigns)
  return {
    nodes: nodes.map(({ kind, key }) => `${kind} ${key}`),
    links: links.map(({ from, to }) => `${from} > ${to}`),
  }
}

test('steps lead to the next one, and the last one to the end', () => {
  expect(shown([email('a'), email('b')])).toEqual({
    nodes: ['step a', 'step b', 'end b to'],
    links: ['a > b', 'b > b to'],
  })
})

test('each path of a branch is a box of its own, even if several lead to the same step', () => {
  expect(shown([fork('f', ['b', null, pathEnd]), email('b')])).toEqual({
    nodes: ['step f', 'exit f 0', 'exit f 1', 'exit f 2', 'end f 2 to', 'exit f 3', 'step b', 'end b to'],
    links: ['f > f 0', 'f 0 > b', 'f > f 1', 'f 1 > b', 'f > f 2', 'f 2 > f 2 to', 'f > f 3', 'f 3 > b', 'b > b to'],
  })
})

test('a path to another campaign names it, and a path to a removed or earlier step says so', () => {
  const { nodes } = toGraph([email('a'), fork('f', ['cmp_1', 'lost', 'a'], pathEnd)], new Map([['cmp_1', 'Autumn']]))
  expect(nodes.filter(({ kind }) => kind !== 'step' && kind !== 'exit')).toEqual([
    { kind: 'campaign', key: 'f 0 to', name: 'Autumn' },
    { kind: 'gone', key: 'f 1 to' },
    { kind: 'gone', key: 'f 2 to' },
    { kind: 'end', key: 'f 3 to' },
  ])
})

test('a step that leads behind the next one skips it', () => {
  expect(shown([email('a', 'c'), email('b'), email('c')]).links).toEqual(['a > c', 'b > c', 'c > c to'])
  expect(shown([])).toEqual({ nodes: [], links: [] })
})
