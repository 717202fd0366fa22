import { closeRepair, createDue, createRepair, renewDues, updateDue } from '@zhugong/contract/equipment/service-endpoints'
import { call, type Fixtures, ofProject, rowId } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(createDue, 'machines')((_s, c) => ({ params: { id: c.deviceId }, body: { kind: 'calibration', dueDate: '2027-01-01' } })),
    call(updateDue, 'machines')((_s, c) => ({ params: { id: c.deviceId, dueId: rowId('due', c) }, body: { remark: '已联系' } })),
    call(
      renewDues,
      'machines',
    )((_s, c) => ({ body: { items: [{ deviceId: c.deviceId, dueId: rowId('due', c) }], dueDate: '2027-06-01' } })),
    call(createRepair, 'machines')((_s, c) => ({ params: { id: c.spareDeviceId }, body: { fault: '回转异响' } })),
    call(closeRepair, 'machines')((_s, c) => ({ params: { id: c.deviceId, repairId: rowId('repair', c) }, body: { measure: '更换轴承' } })),
  ],
  projectRows: async ({ pool, projectCode, device }) => {
    await pool.query(
      `insert into device_due (id, device_id, project_code, kind, due_date, create_time) values (md5($1), $2, $3, 'lifetime', '2030-01-01', now()) on conflict do nothing`,
      [`due ${projectCode}`, device.id, projectCode],
    )
    await pool.query(
      `insert into device_repair (id, device_id, device_name, project_code, at, by_name, fault) values (md5($1), $2, '设备', $3, now(), '样例', '异响')`,
      [`repair ${projectCode}`, device.id, projectCode],
    )
  },
  companyRows: async (pool, company, site) => {
    await pool.query(
      `insert into device_due (id, device_id, project_code, kind, due_date, create_time) values ($1, $2, $3, 'service', '2026-12-01', now())`,
      [rowId('due', company), company.deviceId, site.projectCode],
    )
    await pool.query(
      `insert into device_repair (id, device_id, device_name, project_code, at, by_name, fault) values ($1, $2, '塔机', $3, now(), '样例', '异响')`,
      [rowId('repair', company), company.deviceId, site.projectCode],
    )
  },
  owners: {
    due: ofProject('device_due'),
    repair: ofProject('device_repair'),
  },
}
