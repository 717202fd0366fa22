import { auditDriver, changeDriver, createDriver, removeDriver, sendDriver } from '@zhugong/contract/drivers/calls'
import type pg from 'pg'
import { call, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'

interface Given {
  name: string
  key: string
  projectCode: string
  corpCode: string
  workerId: string
  deviceId: string
  type: string
  state: string
}

async function insertDriver(pool: pg.Pool, { name, key, projectCode, corpCode, workerId, deviceId, type, state }: Given): Promise<void> {
  const row = [`${name} ${key}`, projectCode, corpCode]
  await pool.query(
    `insert into machine_driver (id, project_code, corp_code, shown_at, groups, worker_id, name, id_card_mask, driver_type, cert_id, cert_no, cert_type,
       cert_valid_end, state, create_by, create_time)
     values (md5($1), $2, $3, now(), '{}', $4, '样例', '4201**********0011', $5, 'none', '样例', '0401', '2199-01-01', $6, 'nobody', now())`,
    [...row, workerId, type, state],
  )
  await pool.query(
    `insert into machine_driver_device (id, driver_id, device_id, project_code, corp_code, shown_at, groups)
     values (md5($1 || ' device'), md5($1), $4, $2, $3, now(), '{}')`,
    [...row, deviceId],
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      auditDriver,
      'review',
    )((_s, c) => ({ params: { id: rowId('driver to reject', c) }, body: { auditStatus: '2', auditRemark: '证书照片不清楚' } })),
    call(sendDriver, 'site')((_s, c) => ({ params: { id: rowId('driver passed', c) } })),
    call(removeDriver, 'site')((_s, c) => ({ query: { id: rowId('driver to remove', c) } })),
  ],
  exempt: [
    { why: 'the person needs a licence that fits a machine; drivers.test.ts tries every part', calls: [createDriver, changeDriver] },
  ],
  projectRows: async ({ pool, projectCode, device }) => {
    const { rows } = await pool.query<{ corp_code: string; worker_id: string }>(
      'select corp_code, worker_id from project_worker where project_code = $1 and exit_time is null order by entry_time, id limit 1',
      [projectCode],
    )
    const [first] = rows
    if (!first) return
    const own = { projectCode, corpCode: first.corp_code, workerId: first.worker_id, deviceId: device.id }
    await insertDriver(pool, { name: 'driver of project', key: projectCode, ...own, type: '5', state: '1' })
  },
  companyRows: async (pool, { key, corpCode, workerId, deviceId }, { projectCode }) => {
    const own = { key, projectCode, corpCode, workerId, deviceId }
    await insertDriver(pool, { name: 'driver to reject', ...own, type: '1', state: '0' })
    await insertDriver(pool, { name: 'driver passed', ...own, type: '2', state: '1' })
    await insertDriver(pool, { name: 'driver to remove', ...own, type: '4', state: '0' })
  },
  owners: { machineDriver: ofPeople('machine_driver') },
  guarded: ['machine_driver', 'machine_driver_device'],
}
