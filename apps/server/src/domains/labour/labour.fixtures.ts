import {
  changeCompanyBlack,
  changeLaborBlack,
  createCompanyBlack,
  createLaborBlack,
  previewLaborBlack,
  removeCompanyBlack,
  removeLaborBlack,
  updateCompanyBlack,
  updateLaborBlack,
} from '@zhugong/contract/labour/black'
import { uploadRegister } from '@zhugong/contract/labour/register'
import type { Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'the reach of an entry decides who may change it (labour/black.test.ts)',
      calls: [
        createLaborBlack,
        changeLaborBlack,
        updateLaborBlack,
        updateCompanyBlack,
        removeLaborBlack,
        createCompanyBlack,
        changeCompanyBlack,
        removeCompanyBlack,
      ],
    },
    { why: 'platform only', calls: [uploadRegister] },
  ],
  reads: [
    {
      endpoint: previewLaborBlack,
      by: 'hospital-pm',
      input: ({ project, person }) => ({
        query: { projectCode: project },
        body: { idCardType: '01', idCardNumber: person.number, scope: '1' },
      }),
    },
  ],
  withoutPage: [
    { why: 'older address of a call that pages make under another', names: ['listTeamStays', 'removeTeamStay', 'setContract'] },
    { why: 'lists and trees to choose from, for clients that draw their own forms', names: ['pickTeams'] },
  ],
  writes: {
    corporation: 'an unknown company is created with its first part in a project; organisation depends on labour, so it cannot be called',
    message: 'an entry notifies the person and his employer in the same transaction',
  },
}
