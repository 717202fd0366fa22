import {
  closeRegistration,
  createDevice,
  openRegistration,
  removeDevice,
  removeDevices,
  updateDevice,
} from '@zhugong/contract/equipment/endpoints'
import { call, type Fixtures, ofProject, rowId } from '../../../test/fixtures/helpers.ts'
import { idCard } from '../../../test/givens.ts'
import { cloneRow, oneRow } from '../../../test/parts/clone-row.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      createDevice,
      'machines',
    )((s, c) => ({
      body: {
        name: '新塔机',
        deviceSn: `NEW-${idCard()}`,
        projectCode: s.projectCode,
        family: 'towerCrane',
        ownerCorp: c.corpCode,
        params: {},
        access: { protocol: 'http' },
      },
    })),
    call(updateDevice, 'machines')((_s, c) => ({ params: { id: c.deviceId }, body: { leader: '周大勇' } })),
    call(removeDevice, 'machines')((_s, c) => ({ params: { id: c.deviceId } })),
    call(removeDevices, 'machines')((_s, c) => ({ body: { ids: [c.deviceId] } })),
    call(openRegistration, 'site')((s) => ({ params: { id: rowId('truck', s) }, body: { hours: 24 } })),
    call(closeRegistration, 'site')((s) => ({ params: { id: rowId('truck', s) } })),
  ],
  siteRows: async (pool, site) => {
    const like = await oneRow<{ id: string }>(pool, `select id from device where protocol = 'jt808' and status = '1' order by id`, [])
    const phone = String(13_000_000_000 + Math.floor(Math.random() * 1e9))
    const truckId = await cloneRow(pool, 'device', like.id, {
      id: rowId('truck', site),
      project_code: site.projectCode,
      device_sn: phone,
      access: { protocol: 'jt808', phone },
      access_key: phone,
      gateway_id: null,
    })
    await pool.query(
      `insert into jt808_registration (device_id, opened_at, open_until, by_name) values ($1, now(), now() + interval '1 day', '样例')`,
      [truckId],
    )
  },
  owners: {
    device: ofProject('device'),
    deviceSn: `select device_sn as id, project_code from device`,
  },
  guarded: ['device'],
}
