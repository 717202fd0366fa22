import { changePaper, createQualityPaper, linkQualityRecord, removePaper } from '@zhugong/contract/papers/quality'
import { createSafetyPaper, exemptDuty, linkSafetyRecord, setSafetySince } from '@zhugong/contract/papers/safety'
import { anyProject, call, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      changePaper,
      'supervision',
    )((s) => ({
      params: { id: rowId('library paper', s) },
      query: anyProject,
      body: { version: 0, action: 'approve', opinion: '' },
    })),
  ],
  exempt: [
    {
      why: 'what they file is an obligation or a record of the site, with files of the caller, and only the uploader takes it back: papers.test.ts',
      calls: [createQualityPaper, linkQualityRecord, removePaper, createSafetyPaper, linkSafetyRecord],
    },
    {
      why: 'for managers in the group of the site itself, whatever part their company has: papers.test.ts',
      calls: [exemptDuty, setSafetySince],
    },
  ],
  projectRows: ({ pool, projectCode }) =>
    pool.query(
      `insert into library_paper (id, category, project_code, corp_code, shown_at, groups, author_group, author_group_name, author_name, place_id, work, col,
         name, work_date, state, create_by, create_time)
       values (md5('library paper ' || $1::text), '2', $1, null, now(), '{}', 'nobody', '样例机构', '样例', md5('floor ' || $1::text), 'rebar', 'hidden',
         '样例资料', '2026-11-01', '1', 'nobody', '2026-11-02')`,
      [projectCode],
    ),
  owners: { libraryPaper: ofPeople('library_paper') },
  guarded: ['library_paper', 'library_exempt'],
}
