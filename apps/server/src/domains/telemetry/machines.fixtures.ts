import { explainSilence } from '@zhugong/contract/monitoring/crane/crane-lists'
import { bindCraneCameras } from '@zhugong/contract/monitoring/crane/machine-cameras'
import { switchSpray } from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { createGatePush, sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { call, type Fixtures, reason } from '../../../test/fixtures/helpers.ts'
import type { SiteRows } from '../../../test/parts/site-rows.ts'

const wentOffline = new Date(Date.now() - 3 * 86_400_000)
const offlineSpan = (site: SiteRows) => `${site.device('towerCrane')}-${Math.floor(wentOffline.getTime() / 1000)}`

export const fixtures: Fixtures = {
  calls: [
    call(
      explainSilence,
      'site',
    )((s) => ({
      params: { id: offlineSpan(s) },
      query: { projectCode: s.projectCode },
      body: { cause: '停工', remark: '中午断电检修' },
    })),
    call(createGatePush, 'site')((s) => ({ params: { id: s.device('faceGate') }, body: { adapter: 'generic' } })),
    call(sendCommand, 'site', { reachesOut: true })((s) => ({ params: { id: s.device('towerCrane') }, body: { cmd: 'device.reboot' } })),
    call(switchSpray, 'site', { reachesOut: true })((s) => ({
      body: { deviceId: s.device('sprayController'), status: '1', minutes: 5, reason },
    })),
    call(bindCraneCameras, 'site')((s) => ({ params: { id: s.device('towerCrane') }, body: { cameraIds: [s.device('videoAi')] } })),
  ],
  projectRows: async ({ pool, projectCode, device }) => {
    await pool.query(
      `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
       values ($1, $2, now(), 'weighRecord:1', 'weighRecord', '{"plateNo":"鄂B12345","grossWeight":40,"tareWeight":12}', now())`,
      [device.id, projectCode],
    )
    await pool.query(`insert into device_event (device_id, ts, id, kind, data) values ($1, $2, 'furnished', 'offline', '{}')`, [
      device.id,
      new Date(Date.now() - 3 * 86_400_000),
    ])
  },
  siteRows: (pool, site) =>
    pool.query(`insert into device_event (device_id, ts, id, kind, data) values ($1, $2, 'of the site', 'offline', '{}')`, [
      site.device('towerCrane'),
      wentOffline,
    ]),
  owners: {
    offlineSpan: `select e.device_id || '-' || floor(extract(epoch from e.ts))::bigint as id, d.project_code from device_event e join device d on d.id = e.device_id where e.kind = 'offline'`,
    deviceRecord: `select device_id || '.' || (extract(epoch from ts) * 1000)::bigint || '.' || left(md5(id), 8) as id, project_code from device_record`,
  },
}
