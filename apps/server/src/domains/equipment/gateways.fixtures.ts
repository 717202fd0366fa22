import { copyGateway, createGateway, removeGateway, switchGateway, updateGateway } from '@zhugong/contract/equipment/gateway-endpoints'
import { call, type Fixtures, ofProject, rowId } from '../../../test/fixtures/helpers.ts'
import { cloneRow, oneRow } from '../../../test/parts/clone-row.ts'

export const fixtures: Fixtures = {
  calls: [
    call(createGateway, 'site')((s) => ({ body: { name: '新网关', projectCode: s.projectCode } })),
    call(copyGateway, 'site')((s) => ({ params: { id: rowId('gateway', s) } })),
    call(updateGateway, 'site')((s) => ({ params: { id: rowId('gateway', s) }, body: { remark: '已移位' } })),
    call(switchGateway, 'site')((s) => ({ body: { id: rowId('gateway', s), status: '0' } })),
    call(removeGateway, 'site')((s) => ({ params: { id: rowId('gateway', s) } })),
  ],
  siteRows: async (pool, site) => {
    // A gateway without devices, which can be deleted.
    const like = await oneRow<{ id: string }>(
      pool,
      `select id from gateway where project_code = $1 and connection_type = 'mqtt' order by id`,
      [site.projectCode],
    )
    await cloneRow(pool, 'gateway', like.id, { id: rowId('gateway', site), name: '备用网关', code: null })
  },
  owners: {
    gateway: ofProject('gateway'),
  },
  guarded: ['gateway'],
}
