import { actOnApproval, appointDeputy, changeApproval, endDeputy, saveFlowSetting, tryFlow } from '@zhugong/contract/workflow/endpoints'
import { type Fixtures, ofPeople } from '../../../test/fixtures/helpers.ts'

const step = (key: string, places: string[], code: string) => ({ key, name: `步骤${key}`, places, by: { kind: 'code', code } })
const everybody = [
  step('a', ['site'], 'personnel.view'),
  step('b', ['leader'], 'personnel.view'),
  step('c', ['supervisor'], 'personnel.view'),
  step('d', ['authority'], 'personnel.view'),
]

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'the approver decides, whatever the part: workflow/flows.test.ts tries every kind, state, action and part',
      calls: [actOnApproval, changeApproval],
    },
    {
      why: 'who approves in the caller’s own group, and who deputises (workflow/flow-settings.test.ts)',
      calls: [saveFlowSetting, appointDeputy, endDeputy],
    },
  ],
  reads: [
    {
      endpoint: tryFlow,
      by: 'hospital-pm',
      input: ({ project }) => ({ body: { bizType: 'attendanceFix', nodes: everybody, projectCode: project, facts: {} } }),
    },
  ],
  owners: {
    todo: ofPeople('work_item'),
  },
  writes: {
    message: 'notifies approvers; calling notify would make a circle of domains',
  },
}
