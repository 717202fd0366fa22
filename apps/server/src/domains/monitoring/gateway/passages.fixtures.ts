import { joinPassages, partPassages } from '@zhugong/contract/monitoring/gateway/passage-pairs'
import { correctPassage, markPassages } from '@zhugong/contract/monitoring/record-fixes'
import { type CallCase, call, type Fixtures, insertRecord, reason, recordedAt, recordId } from '../../../../test/fixtures/helpers.ts'
import type { SiteRows } from '../../../../test/parts/site-rows.ts'

const enteredAt = Date.parse(recordedAt) - 3_600_000
const wayIn = (site: SiteRows) => recordId(site.device('truckAccess'), 'wayIn', enteredAt)
const wayOut = (site: SiteRows) => recordId(site.device('truckAccess'), 'wayOut')

/** Undoes corrections of an earlier step. */
const uncorrected: Pick<CallCase, 'meanwhile'> = {
  meanwhile: ['delete from record_fix where project_code = $1', 'delete from record_fix where project_code = $1'],
}

/** Removes manual pairs. */
const unpaired: Pick<CallCase, 'meanwhile'> = {
  meanwhile: ['delete from passage_pair where project_code = $1', 'delete from passage_pair where project_code = $1'],
}

/** An entry and an exit paired manually. */
const joinedByHand: Pick<CallCase, 'meanwhile'> = {
  meanwhile: [
    `insert into passage_pair (id, project_code, kind, in_device, in_ts, in_id, out_device, out_ts, out_id, reason, by_name, at)
       select 'pair-' || i.project_code, i.project_code, 'joined', i.device_id, i.ts, i.id, o.device_id, o.ts, o.id, '样例', '样例', now()
       from device_record i join device_record o on o.project_code = i.project_code and o.id = 'wayOut' where i.project_code = $1 and i.id = 'wayIn'`,
    'delete from passage_pair where project_code = $1',
  ],
}

export const fixtures: Fixtures = {
  calls: [
    call(
      correctPassage,
      'site',
      uncorrected,
    )((s) => ({
      params: { id: wayOut(s) },
      query: { projectCode: s.projectCode },
      body: { version: 0, reason, plateNo: '鄂A54321' },
    })),
    call(
      markPassages,
      'site',
      uncorrected,
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: { rows: [{ id: wayOut(s), version: 0 }], plate: 'unreadable', reason },
    })),
    call(
      joinPassages,
      'site',
      unpaired,
    )((s) => ({ query: { projectCode: s.projectCode }, body: { entryId: wayIn(s), exitId: wayOut(s), reason } })),
    call(partPassages, 'site', joinedByHand)((s) => ({ params: { id: wayOut(s) }, query: { projectCode: s.projectCode, reason } })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into passage_pair (id, project_code, kind, in_device, in_ts, in_id, out_device, out_ts, out_id, reason, by_name, at)
       select md5($1), $2, 'joined', d.id, now() - interval '2 hours', 'in', d.id, now() - interval '1 hour', 'out', '样例', '样例', now()
       from device d where d.project_code = $2 order by d.id limit 1`,
      [`passage pair ${projectCode}`, projectCode],
    )
  },
  siteRows: async (pool, site) => {
    const lane = site.device('truckAccess')
    await insertRecord(pool, site, lane, { id: 'wayOut', record: 'accessRecord', data: { plateNo: '鄂A12345', direction: '1' } })
    await insertRecord(pool, site, lane, { id: 'wayIn', record: 'accessRecord', data: { plateNo: '鄂A1Z345', direction: '0' } }, enteredAt)
  },
  guarded: ['passage_pair'],
}
