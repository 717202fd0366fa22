import type { ReportContent } from '@zhugong/contract/reports/endpoints'
import type { Db } from '#kit/db'
import { newId } from '#kit/ids'

interface Example {
  account: string
  name: string
  reportType: string
  content: ReportContent[]
  channels: string[]
  sendAt: string
  monthday?: number
  weekend?: 'send' | 'skip' | 'monday'
}

const examples: readonly Example[] = [
  // No SMS service is configured, so this channel fails, as in any installation without one.
  {
    account: 'yunze-lu',
    name: '周一安全生产周报',
    reportType: '2',
    content: ['attendance', 'keyPost', 'alarm', 'online'],
    channels: ['1', '2'],
    sendAt: '08:00',
  },
  { account: 'yunze-lu', name: '设备季报', reportType: '4', content: ['online', 'alarm'], channels: ['1'], sendAt: '09:00', monthday: 5 },
  {
    account: 'city-fang',
    name: '全市月报',
    reportType: '3',
    content: ['attendance', 'keyPost', 'alarm', 'dust'],
    channels: ['1'],
    sendAt: '08:30',
    weekend: 'monday',
  },
  {
    account: 'hospital-pm',
    name: '项目日报',
    reportType: '1',
    content: ['attendance', 'keyPost', 'alarm', 'dust', 'online'],
    channels: ['1'],
    sendAt: '07:30',
    weekend: 'skip',
  },
  { account: 'admin', name: '平台运行周报', reportType: '2', content: ['attendance', 'alarm', 'online'], channels: ['1'], sendAt: '08:00' },
]

/** Report subscriptions of the platform, an authority, a company and a site, due now: the product sends them right after the start. */
export async function seedReports(db: Db, now: number): Promise<void> {
  for (const { account, ...example } of examples) {
    const owner = await db
      .selectFrom('member as m')
      .innerJoin('appUser as u', 'u.id', 'm.userId')
      .select(['u.id', 'm.groupId'])
      .where('u.account', '=', account)
      .executeTakeFirst()
    if (!owner) continue
    await db
      .insertInto('reportPush')
      .values({
        id: newId(now),
        groupId: owner.groupId,
        userIds: [owner.id],
        ...example,
        nextAt: new Date(now),
        createBy: owner.id,
        createTime: new Date(now),
      })
      .execute()
  }
}
