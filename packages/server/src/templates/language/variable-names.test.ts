import { describe, expect, test } from 'vitest'
import { missingVariables, renderTemplate } from '../template.ts'
import { findCustomName, isStandard, toStandardName } from '@overture/ground/text/variable-names.ts'

const scope = {
  email: 'ada@acme.test',
  firstName: 'Ada',
  company: null,
  customVariables: { Plan: 'Pro', plan_size: 7, company: 'Other', Seats: '', seats: 'many', Z: 'upper', z: 'lower' },
  sender: { email: 'eve@sender.test', fromName: 'Eve', signature: null },
  unsubscribeUrl: 'https://out.test/u',
  meetingUrl: null,
}

const render = (text: string) => renderTemplate(text, scope, { seed: '', html: false })

describe('the names of variables', () => {
  test.each([
    ['{{Plan}}', 'Pro'],
    ['{{ plan }}', 'Pro'],
    ['{{ PLAN }}', 'Pro'],
    ['{{ customVariables.Plan }}', 'Pro'],
    ['{{ Custom_Variables.Plan }}', 'Pro'],
    ['{{ PlanSize }}', '7'],
    ['{{ First_Name }} {{ FIRSTNAME }} {{ first_name }} {{ firstName }}', 'Ada Ada Ada Ada'],
    ['{{ First_Name | upcase }}', 'ADA'],
    ['{{ sender.from_name }} {{ Sender.EMAIL }} {{ sender.fromName }}', 'Eve eve@sender.test Eve'],
    ['{{ unsubscribe_url }}', 'https://out.test/u'],
    ['{% if plan == "Pro" %}yes{% endif %}', 'yes'],
    ['{{ nope | default: "x" }} {{ COMPANY | default: "y" }}', 'x y'],
    ['{% assign plan = "own" %}{{ plan }}', 'own'],
    ['{{ seats }} {{ z }} {{ Z }}', 'many lower upper'],
  ])('%s is rendered as %s', (text, rendered) => {
    expect(render(text)).toEqual({ kind: 'rendered', text: rendered })
    expect(missingVariables([text], scope)).toEqual([])
  })

  test.each([
    ['{{ customVariables.plan }}', ['customVariables.plan']],
    ['{{ COMPANY }} {{ company }}', ['company']],
    ['{{ Last_Name }} {{ lastName }} {{ Nope }}', ['lastName', 'Nope']],
    ['{{ sender.SIGNATURE }}', ['sender.signature']],
    ['{{ SEATS }}', ['SEATS']],
    ['{{ Seats }}', ['Seats']],
  ])('%s is missing as %s', (text, names) => {
    expect(render(text)).toEqual({ kind: 'missing_variable', names })
    expect(missingVariables([text], scope)).toEqual(names)
  })

  test('of custom variables mean the exact one, else the first by name', () => {
    expect(findCustomName('plan', ['pLan', 'Plan', 'plan'])).toBe('plan')
    expect(findCustomName('PLAN', ['plan', 'pLan', 'p_lan'])).toBe('pLan')
    expect(findCustomName('nope', ['plan'])).toBeUndefined()
  })

  test('of standard variables are returned as they are written in the docs', () => {
    expect(['FIRST_name', 'Sender.from_name', 'customvariables.Plan', 'Plan'].map(toStandardName)).toEqual([
      'firstName',
      'sender.fromName',
      'customVariables.Plan',
      'Plan',
    ])
    expect(['linkedin_URL', 'sender.x', 'personId', 'Plan'].map(isStandard)).toEqual([true, true, false, false])
  })
})
