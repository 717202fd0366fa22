import { sendNotice } from '@zhugong/contract/alarms/notices'
import { anyProject, call, type Fixtures, ofProject, reason } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      sendNotice,
      'review',
    )((s) => ({
      query: anyProject,
      body: {
        kind: 'urge',
        text: reason,
        deadline: new Date(Date.now() + 3_600_000).toISOString(),
        targets: [{ projectCode: s.projectCode, deviceId: s.device('towerCrane'), subject: '塔机' }],
      },
    })),
  ],
  projectRows: async ({ pool, projectCode, device }) => {
    await pool.query(
      `insert into site_notice (id, project_code, batch, kind, text, deadline, reply_wanted, device_id, subject, from_id, from_name, from_group_name, create_time)
       values (md5($1), $2, 'sample', 'urge', '隔离测试', now() + interval '1 day', true, $3, '样例', 'sample', '样例', '样例', now())`,
      [`site notice ${projectCode}`, projectCode, device.id],
    )
    await pool.query(
      `insert into site_notice_step (id, notice_id, project_code, at, action, by_name) values (md5($1), md5($2), $3, now(), 'send', '样例')`,
      [`site notice step ${projectCode}`, `site notice ${projectCode}`, projectCode],
    )
  },
  owners: {
    siteNotice: ofProject('site_notice'),
  },
  guarded: ['site_notice'],
}
