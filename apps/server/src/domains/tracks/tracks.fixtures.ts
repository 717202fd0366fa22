import { saveDutyHours, sendPlaces, setDuty } from '@zhugong/contract/tracks/calls'
import type { Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'changes the caller’s own positions and those of his institution, never a project; who may do what is in tracks.test.ts',
      calls: [sendPlaces, setDuty, saveDutyHours],
    },
  ],
  unowned: { officerPlace: 'made by the device for a new row; one that exists is stored no second time' },
}
