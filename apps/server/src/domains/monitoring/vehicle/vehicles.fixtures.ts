import { addRegistered, changeRegistered, removeRegistered } from '@zhugong/contract/monitoring/gateway/vehicle-registry'
import { createVehicleFence, removeVehicleFence, updateVehicleFence } from '@zhugong/contract/monitoring/vehicle/vehicle-fences'
import { call, type Fixtures, ofProject, reason, rowId } from '../../../../test/fixtures/helpers.ts'
import { freshId } from '../../../../test/parts/clone-row.ts'

/** Longitude and latitude of the corners. */
const dumpGround: [number, number][] = [
  [115, 30],
  [115.01, 30],
  [115.01, 30.01],
]

export const fixtures: Fixtures = {
  calls: [
    call(
      createVehicleFence,
      'site',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: { name: `围栏${freshId().slice(0, 12)}`, kind: 'dumpSites', points: dumpGround },
    })),
    call(
      updateVehicleFence,
      'site',
    )((s) => ({
      params: { id: rowId('vehicle fence', s) },
      query: { projectCode: s.projectCode },
      body: { name: '消纳场', kind: 'dumpSites', version: 0, points: dumpGround },
    })),
    call(
      addRegistered,
      'site',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: { kind: 'known', plateNo: `鄂B${freshId().slice(0, 5).toUpperCase()}`, vehicleType: '1' },
    })),
    call(
      changeRegistered,
      'site',
    )((s) => ({
      params: { id: rowId('registered vehicle', s) },
      query: { projectCode: s.projectCode },
      body: { kind: 'known', plateNo: '鄂A00009', corpName: '样例运输', version: 0 },
    })),
    call(
      removeRegistered,
      'site',
    )((s) => ({ params: { id: rowId('registered vehicle', s) }, query: { projectCode: s.projectCode, reason } })),
    call(removeVehicleFence, 'site')((s) => ({ params: { id: rowId('vehicle fence', s) }, query: { projectCode: s.projectCode } })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into vehicle_fence (id, project_code, name, kind, points) values (md5($1), $2, '隔离测试', 'dumpSites', '[[115,30],[115.01,30],[115.01,30.01]]')`,
      [`vehicle fence ${projectCode}`, projectCode],
    )
    await pool.query(
      `insert into vehicle_registry (id, project_code, kind, plate_no, create_time, create_by) values (md5($1), $2, 'known', '鄂A00009', now(), '样例')`,
      [`registered vehicle ${projectCode}`, projectCode],
    )
  },
  owners: {
    vehicleFence: ofProject('vehicle_fence'),
    vehicleRegistry: ofProject('vehicle_registry'),
  },
  guarded: ['vehicle_fence', 'vehicle_registry'],
}
