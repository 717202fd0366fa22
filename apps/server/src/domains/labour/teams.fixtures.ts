import { createHash } from 'node:crypto'
import { addTeamStay, createTeam, removeTeam, setTeamTime, updateTeam } from '@zhugong/contract/labour/teams'
import { leaveWithTeam, removeTeamStay, updateTeamStay } from '@zhugong/contract/labour/unit-info'
import { call, type Fixtures, ofPeople } from '../../../test/fixtures/helpers.ts'
import { idCard, mobile } from '../../../test/givens.ts'

const team = {
  teamName: '新班组',
  workType: '020',
  responsiblePersonName: '周大勇',
  responsiblePersonIdCardType: '01',
} as const

export const fixtures: Fixtures = {
  calls: [
    call(
      createTeam,
      'people',
    )((s, c) => ({
      body: {
        ...team,
        projectCode: s.projectCode,
        corpCode: c.corpCode,
        entryTime: '2026-11-02',
        responsiblePersonPhone: mobile(),
        responsiblePersonIdNumber: idCard(),
      },
    })),
    call(updateTeam, 'people')((_s, c) => ({ params: { id: c.teamId }, body: { ...team, teamName: '改名班组', version: 0 } })),
    call(removeTeam, 'people')((_s, c) => ({ params: { id: c.emptyTeamId } })),
    call(addTeamStay, 'people')((s, c) => ({ body: { projectCode: s.projectCode, teamId: c.leftTeamId, entryTime: '2026-11-10' } })),
    call(setTeamTime, 'people')((_s, c) => ({ body: { id: c.projectTeamId, entryTime: '2026-10-02', exitTime: null } })),
    call(
      updateTeamStay,
      'people',
    )((_s, c) => ({
      params: { id: c.projectTeamId },
      body: { entryTime: '2026-10-02', remark: '二次进场', teamLeaderId: null, version: 0 },
    })),
    call(removeTeamStay, 'people', {
      // Two stays without entries, of a team without people, so that one can be deleted.
      meanwhile: [
        `insert into project_team (id, project_code, team_id, corp_code, entry_time)
       select md5(n || t.id), t.project_code, t.id, t.corp_code, t.entry_time from team t, unnest(array['one ', 'two ']) n where t.project_code = $1`,
        `delete from project_team where project_code = $1 and id in (select md5(n || t.id) from team t, unnest(array['one ', 'two ']) n)`,
      ],
    })((_s, c) => ({ params: { id: createHash('md5').update(`one ${c.emptyTeamId}`).digest('hex') } })),
    call(
      leaveWithTeam,
      'people',
    )((_s, c) => ({ body: { id: c.projectTeamId, exitTime: '2026-11-20', withPeople: true, exitReason: '1', remark: null } })),
  ],
  owners: {
    team: ofPeople('team'),
    projectTeam: ofPeople('project_team'),
    teamNo: { sql: `select team_sys_no::text as id, project_code, corp_code from team`, personal: true },
  },
  guarded: ['team', 'project_team'],
}
