import { checkTicket } from '@zhugong/contract/monitoring/weigh/weigh-checks'
import { correctTicket, manualWeighing } from '@zhugong/contract/monitoring/weigh/weighing'
import { call, type Fixtures, insertRecord, reason, recordId } from '../../../../test/fixtures/helpers.ts'
import { freshId } from '../../../../test/parts/clone-row.ts'
import type { SiteRows } from '../../../../test/parts/site-rows.ts'

const ticket = (site: SiteRows) => recordId(site.device('weighbridge'), 'ticket')

export const fixtures: Fixtures = {
  calls: [
    call(
      manualWeighing,
      'site',
    )((s, _c, a) => ({
      query: { projectCode: s.projectCode },
      body: {
        deviceId: s.device('weighbridge'),
        plateNo: `鄂A${freshId().slice(0, 5).toUpperCase()}`,
        weighType: '1',
        material: '中砂',
        grossWeight: 42.3,
        reason,
        photos: [a.fileId],
      },
    })),
    call(checkTicket, 'site')((s) => ({ query: { projectCode: s.projectCode }, body: { ticketId: ticket(s), outcome: 'wrong', reason } })),
    call(correctTicket, 'site')((s) => ({ params: { id: ticket(s) }, body: { action: 'save', reason, material: '商品混凝土' } })),
  ],
  siteRows: (pool, site) =>
    insertRecord(pool, site, site.device('weighbridge'), {
      id: 'ticket',
      record: 'weighRecord',
      data: { plateNo: '鄂B12345', grossWeight: 40, tareWeight: 12, netWeight: 28, weighType: 1 },
    }),
  guarded: ['weigh_change', 'weigh_check'],
}
