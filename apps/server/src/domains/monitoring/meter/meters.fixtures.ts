import { addMeterEntry, voidMeterEntry } from '@zhugong/contract/monitoring/meter/meter-entries'
import { createMeterPrice, removeMeterPrice, signSheet } from '@zhugong/contract/monitoring/meter/meter-settle'
import { call, type Fixtures, ofProject, rowId } from '../../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      createMeterPrice,
      'site',
    )((s) => ({ query: { projectCode: s.projectCode }, body: { kind: 'water', fromMonth: '2027-01', price: 3.2 } })),
    call(addMeterEntry, 'site', {
      meanwhile: [
        `delete from meter_entry where project_code = $1 and by_name <> '样例'`,
        `delete from meter_entry where project_code = $1 and by_name <> '样例'`,
      ],
    })((s, _c, a) => ({
      query: { projectCode: s.projectCode },
      body: {
        deviceId: s.device('electricMeter'),
        kind: 'reading',
        at: null,
        reading: 900_000_000,
        reason: '表计离线',
        files: [a.fileId],
        sure: true,
      },
    })),
    call(voidMeterEntry, 'site', {
      meanwhile: [
        `update meter_entry set device_id = (select min(id) from device where project_code = $1 and family = 'electricMeter') where project_code = $1`,
        `update meter_entry set void_reason = null, void_by = null, void_at = null where project_code = $1`,
      ],
    })((s) => ({ params: { id: rowId('meter entry', s) }, query: { projectCode: s.projectCode }, body: { reason: '看错表盘' } })),
    call(removeMeterPrice, 'site')((s) => ({ params: { id: rowId('meter price', s) }, query: { projectCode: s.projectCode } })),
    call(
      signSheet,
      'site',
    )((s) => ({
      params: { id: rowId('meter month', s) },
      query: { projectCode: s.projectCode },
      body: { corpName: '样例单位', signer: '刘样', result: 'agreed', version: 0 },
    })),
  ],
  projectRows: async ({ pool, projectCode, device, deviceOf }) => {
    await pool.query(
      `insert into meter_price (id, project_code, kind, from_month, price, create_by, create_time) values (md5($1), $2, 'electric', '2020-02', 0.8, '样例', now())`,
      [`meter price ${projectCode}`, projectCode],
    )
    const meter = deviceOf('electricMeter') ?? device
    await pool.query(
      `insert into meter_entry (id, project_code, device_id, kind, at, reading, reason, by_name, create_time)
       values (md5($1), $2, $3, 'reading', now(), 0, '样例', '样例', now())`,
      [`meter entry ${projectCode}`, projectCode, meter.id],
    )
    await pool.query(
      `insert into meter_month (id, project_code, kind, month, total_usage, rows, close_by, close_time) values (md5($1), $2, 'electric', '2020-01', 1,
        '[{"deviceId":"sample","deviceName":"总表","area":null,"corpName":"样例单位","parentId":null,"startReading":0,"endReading":1,"ratio":1,"usage":1,"quota":null,"quotaPercent":null,"rollbacks":0,"peakUsage":null,"valleyUsage":null,"amount":null,"estimatedShare":0,"carried":0}]',
        '样例', now())`,
      [`meter month ${projectCode}`, projectCode],
    )
  },
  owners: {
    meterPrice: ofProject('meter_price'),
    meterEntry: ofProject('meter_entry'),
    meterMonth: ofProject('meter_month'),
  },
  guarded: ['meter_price', 'meter_entry', 'meter_month'],
}
