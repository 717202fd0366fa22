import { addPlatformMove, zeroPlatform } from '@zhugong/contract/monitoring/unloading/platform-moves'
import { call, type Fixtures, ofProject, rowId } from '../../../../test/fixtures/helpers.ts'
import { freshId } from '../../../../test/parts/clone-row.ts'

export const fixtures: Fixtures = {
  calls: [
    call(addPlatformMove, 'site', {
      meanwhile: [
        `delete from platform_move where project_code = $1 and to_place <> '样例'`,
        `delete from platform_move where project_code = $1 and to_place <> '样例'`,
      ],
    })((s, _c, a) => ({
      query: { projectCode: s.projectCode },
      body: { deviceId: s.device('unloadingPlatform'), toPlace: `1# 楼 ${freshId().slice(0, 6)}`, personName: '周大勇', files: [a.fileId] },
    })),
    call(zeroPlatform, 'site', {
      meanwhile: [
        // A move of the site's platform, empty and with a recent reading.
        `with heard as (
         insert into device_latest (device_id, ts, received_at, v, online, online_since) select id, now(), now(), '{"weight": 0.01}', true, now()
         from device where project_code = $1 and family = 'unloadingPlatform' on conflict (device_id) do update set ts = excluded.ts, v = excluded.v returning device_id)
       update platform_move set device_id = (select min(device_id) from heard) where project_code = $1`,
        `update platform_move set zero_weight = null, zeroed_at = null, zeroed_by = null where project_code = $1`,
      ],
    })((s) => ({ params: { id: rowId('platform move', s) }, query: { projectCode: s.projectCode }, body: { empty: true } })),
  ],
  projectRows: async ({ pool, projectCode, device, deviceOf }) => {
    await pool.query(
      `insert into platform_move (id, project_code, device_id, moved_at, to_place, person_name, by_name, create_time)
       values (md5($1), $2, $3, now() - interval '1 day', '样例', '样例', '样例', now())`,
      [`platform move ${projectCode}`, projectCode, (deviceOf('unloadingPlatform') ?? device).id],
    )
  },
  owners: {
    platformMove: ofProject('platform_move'),
  },
  guarded: ['platform_move'],
}
