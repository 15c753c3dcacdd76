import { expect, test } from 'vitest'
import { templateProblem } from '../template-check.ts'
import { plainProblem } from './plain-problem.ts'

test.each([
  ['Hi {{ firstName | there }}', 'There is no filter there. A fallback is written {{ firstName | default: "there" }}.'],
  ['Hi {{ firstName', '{{ firstName is not closed. Write }} after the name.'],
  ['{% if firstName %}x', '{% if firstName %} is not closed. Write {% endif %} where it ends.'],
  ['{% if firstName', '{% if firstName is not closed. Write %} after it.'],
  ['{% nope %}', 'There is no tag nope.'],
  ['{% for i in (1..1001) %}{% endfor %}', 'The range (1..1001) has more than 1000 steps.'],
])('the problem of %s is said in the words of its author', (text, said) => {
  const problem = templateProblem('body', text, () => 0) ?? ''
  expect(plainProblem(problem.replace(/, line:\d+, col:\d+$/, ''))).toBe(said)
})
