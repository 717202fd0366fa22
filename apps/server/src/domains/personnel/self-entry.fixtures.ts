import { decideSelfEntry, setSelfEntryDoor } from '@zhugong/contract/personnel/self-entry'
import { type CallCase, call, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'

/** A site without a self-registration code. */
const withoutDoor: Pick<CallCase, 'meanwhile'> = {
  meanwhile: [`delete from self_entry_door where project_code = $1`, `delete from self_entry_door where project_code = $1`],
}

export const fixtures: Fixtures = {
  calls: [
    call(setSelfEntryDoor, 'site', withoutDoor)((s) => ({ body: { projectCode: s.projectCode, action: 'open', version: 0 } })),
    call(decideSelfEntry, 'people', {
      meanwhile: [
        `update self_entry set state = 'waiting', version = 0 where project_code = $1`,
        `update self_entry set state = 'waiting', version = 0 where project_code = $1`,
      ],
    })((_s, c) => ({ params: { id: rowId('self entry', c) }, body: { action: 'return', reason: '证件号码与姓名不符', version: 0 } })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into self_entry (id, project_code, corp_code, team_id, work_type, name, id_card_hash, id_card_mask, cell_phone_hash, cell_phone_mask,
         phone_proved, consent_face, receipt_hash, create_time)
       select md5($1), w.project_code, w.corp_code, w.team_id, '020', '样例', md5($1), '420***', md5($1), '139****', true, false, md5($1), now()
       from project_worker w where w.project_code = $2 and w.team_id is not null order by w.id limit 1`,
      [`self entry ${projectCode}`, projectCode],
    )
    await pool.query(`insert into self_entry_door (project_code, is_open, update_name, update_time) values ($1, true, '样例', now())`, [
      projectCode,
    ])
  },
  companyRows: (pool, company, site) =>
    pool.query(
      `insert into self_entry (id, project_code, corp_code, team_id, work_type, name, id_card_hash, id_card_mask, cell_phone_hash, cell_phone_mask,
           phone_proved, consent_face, receipt_hash, create_time)
         values ($1, $2, $3, $4, '020', '样例', $1, '420***', $1, '139****', true, false, $1, now())`,
      [rowId('self entry', company), site.projectCode, company.corpCode, company.teamId],
    ),
  owners: {
    selfEntry: ofPeople('self_entry'),
  },
  guarded: ['self_entry'],
}
