import { changeCampaign, createCampaign, removeCampaign, removeTask } from '@zhugong/contract/campaigns/calls'
import { changeStanding } from '@zhugong/contract/campaigns/checks'
import { type Fixtures, ofGroup } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'belongs to authorities, not to a part in a project; who may do what is in campaigns.test.ts',
      calls: [createCampaign, changeCampaign, removeCampaign, removeTask, changeStanding],
    },
  ],
  // A published campaign of the site's own group with its project, so that nobody else has a part in its rows.
  projectRows: async ({ pool, projectCode }) => {
    const of = `from tenant t where t.type = 3 and t.code = $1`
    const statements = [
      `insert into campaign (id, organiser_group, organiser_name, groups, shown_at, name, level, start_date, end_date, surprise, draw_mode, deadline_days,
         recheck, state, create_by, create_time)
       select md5('campaign ' || $1), t.id, t.name, array[t.id], now(), '样例督查', '3', current_date - 30, current_date - 1, false, '1', 7, 'district', '5',
         'nobody', now() ${of}`,
      `insert into campaign_project (id, campaign_id, project_code, organiser_group, shown_at, groups, source, create_time, create_name)
       select md5('campaign project ' || $1), md5('campaign ' || $1), $1, t.id, now(), array[t.id], 'named', now(), '样例' ${of}`,
    ]
    for (const statement of statements) await pool.query(statement, [projectCode])
  },
  owners: {
    campaign: ofGroup('campaign', 'organiser_group'),
    campaignProject: ofGroup('campaign_project', 'organiser_group'),
  },
  guarded: ['campaign_project'],
}
