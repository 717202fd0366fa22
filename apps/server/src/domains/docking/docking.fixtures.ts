import { issueKey, revokeKey } from '@zhugong/contract/docking/below'
import { translateError } from '@zhugong/contract/docking/causes'
import {
  changePlatform,
  createPlatform,
  movePlatform,
  pausePlatform,
  runCompare,
  testPlatform,
} from '@zhugong/contract/docking/connections'
import { changeMapping, tryMapping, weighMapping } from '@zhugong/contract/docking/mapping'
import { lookRecord, pushRecords } from '@zhugong/contract/docking/queue'
import { type Fixtures, ofGroup, ofPeople } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'belongs to the group that keeps the connection (docking/docking.test.ts)',
      calls: [
        createPlatform,
        changePlatform,
        pausePlatform,
        testPlatform,
        movePlatform,
        runCompare,
        changeMapping,
        tryMapping,
        weighMapping,
        translateError,
        issueKey,
        revokeKey,
      ],
    },
    {
      why: 'records made from people and passages, visible as those are (docking/docking.test.ts)',
      calls: [pushRecords, lookRecord],
    },
  ],
  exemptReads: [{ why: 'platform only', calls: [weighMapping, tryMapping] }],
  owners: {
    dockingRecord: ofPeople('docking_record'),
    dockingPlatform: ofGroup('docking_platform'),
    dockingKey: ofGroup('docking_key'),
  },
  writes: {
    project: 'whether the project has arrived above is a column of project',
    project_worker: 'whether the stay has arrived above is a column of project_worker',
  },
}
