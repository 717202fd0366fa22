import { emptyBin, purgeDocument } from '@zhugong/contract/documents/bin'
import {
  changeDocument,
  createDocument,
  createDocumentFolder,
  openDocument,
  removeDocument,
  starDocument,
} from '@zhugong/contract/documents/calls'
import { changeTravel, issueTravel, urgeTravel } from '@zhugong/contract/documents/travel'
import { type Fixtures, ofGroup, ofProject } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'who may change a document follows from its folder’s grants and its group as well as from the part: documents.test.ts',
      calls: [createDocumentFolder, createDocument, changeDocument, removeDocument, purgeDocument, emptyBin, openDocument, starDocument],
    },
    { why: 'goes from group to group, whatever their parts in projects: travel.test.ts', calls: [issueTravel, changeTravel, urgeTravel] },
  ],
  projectRows: async ({ pool, projectCode }) => {
    const columns = `id, group_id, project_code, place, name, is_dir, owner_id, owner_name, create_by, create_time, update_time`
    await pool.query(
      `insert into document (${columns})
       select md5('document folder ' || $1), t.id, $1, 'project ' || $1, '样例目录', true, 'nobody', '样例', 'nobody', now(), now()
       from tenant t where t.type = 3 and t.code = $1`,
      [projectCode],
    )
    await pool.query(
      `insert into document (${columns}, parent_id, ancestors, path, file_id, mime, version_no)
       select md5('document ' || $1), t.id, $1, md5('document folder ' || $1), '样例.pdf', false, 'nobody', '样例', 'nobody', now(), now(),
         md5('document folder ' || $1), array[md5('document folder ' || $1)], '样例目录', md5('document file ' || $1), 'application/pdf', 1
       from tenant t where t.type = 3 and t.code = $1`,
      [projectCode],
    )
    await pool.query(
      `insert into document_version (id, document_id, no, file_id, name, mime, size, by_id, by_name, at)
       select md5('document version ' || $1), d.id, 1, d.file_id, d.name, d.mime, 3, 'nobody', '样例', now()
       from document d where d.id = md5('document ' || $1)`,
      [projectCode],
    )
    await pool.query(
      `insert into travel_paper (id, title, requirement, from_group, from_name, by_id, issue_time)
       values (md5('travel ' || $1), '样例下发', '3', 'nobody', '样例机构', 'nobody', now())`,
      [projectCode],
    )
    await pool.query(
      `insert into travel_stop (id, paper_id, from_group, from_name, to_group, to_name, to_type, above, update_time)
       select md5('travel stop ' || $1), md5('travel ' || $1), 'nobody', '样例机构', t.id, t.name, 3, '{nobody}', now()
       from tenant t where t.type = 3 and t.code = $1`,
      [projectCode],
    )
  },
  owners: {
    document: ofProject('document'),
    travelPaper: `select x.id, null as project_code, t.type || '/' || t.code as group_key from travel_paper x
      join travel_stop s on s.paper_id = x.id join tenant t on t.id = s.to_group`,
    travelStop: ofGroup('travel_stop', 'to_group'),
  },
  guarded: ['document'],
}
