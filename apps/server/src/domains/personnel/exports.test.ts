import { beforeAll, expect, test } from 'vitest'
import { registerExports } from '../../export-list.ts'
import { exportNamed } from '../exports/registry.ts'

beforeAll(() => registerExports())

/** The columns of each page by key: an export drops a key it does not know, without a word. */
const shown: Record<string, string[]> = {
  projectWorker:
    'name age workType teamId idCardNumber entryTime firstIn certState formalStatus missing cellPhone corpCode projectName gender workRole hasContract attendEnabled lastPass exitTime stationed'.split(
      ' ',
    ),
  workerFile:
    'name gender age idCardNumber cellPhone birthPlaceCode workTypeCode onSite realNameState missing badCount workCorpName createTime'.split(
      ' ',
    ),
  attendanceDaily: 'name projectName teamName corpName workType firstIn lastOut workHours results recordCount'.split(' '),
  attendancePerson: 'date firstIn lastOut workHours results projectName'.split(' '),
}

test.each(Object.entries(shown))('the export %s knows every column that its page shows', (feature, keys) => {
  const known = exportNamed(feature)?.columns.map((c) => c.key) ?? []
  expect(keys.filter((key) => !known.includes(key))).toEqual([])
})
