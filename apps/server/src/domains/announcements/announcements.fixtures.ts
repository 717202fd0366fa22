import {
  changeAnnouncement,
  createAnnouncement,
  markAnnouncements,
  previewRecipients,
  removeAnnouncement,
  signAnnouncement,
} from '@zhugong/contract/announcements/calls'
import { type Fixtures, ofGroup } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'a notice goes from a group to people, whatever their parts in projects; who may do what is in announcements.test.ts',
      calls: [createAnnouncement, changeAnnouncement, removeAnnouncement, signAnnouncement, markAnnouncements],
    },
  ],
  exemptReads: [{ why: 'answers for what the caller’s group reaches only: announcements.test.ts', calls: [previewRecipients] }],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into announcement (id, group_id, group_name, title, type, content, body, need_receipt, need_signature, top, create_by, create_name, create_time)
       select md5('announcement ' || $1), t.id, t.name, '样例通知', '1', '<p>样例</p>', '样例', false, false, false, 'nobody', '样例', now()
       from tenant t where t.type = 3 and t.code = $1`,
      [projectCode],
    )
  },
  owners: { announcement: ofGroup('announcement', 'group_id') },
}
