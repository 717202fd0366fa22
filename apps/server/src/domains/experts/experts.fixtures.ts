import { changeActivity, changeTrip, createActivity, createTrip } from '@zhugong/contract/experts/activities'
import { changeDraw, freezeDraw } from '@zhugong/contract/experts/draws'
import { changeExpert, createExpert, saveLibrary, unmaskExpert } from '@zhugong/contract/experts/library'
import { appealScore, correctScore, freezeYear, giveScore } from '@zhugong/contract/experts/scores'
import { type Fixtures, ofGroup } from '../../../test/fixtures/helpers.ts'

const ofParent = (table: string, key: string, parent: string) =>
  `select x.id, null as project_code, t.type || '/' || t.code as group_key from ${table} x join ${parent} p on p.id = x.${key}
    join tenant t on t.id = p.organiser_group`

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'belongs to authorities and organisers, not to a part in a project; who may do what is in draw.test.ts and apply.test.ts',
      calls: [
        saveLibrary,
        createExpert,
        changeExpert,
        unmaskExpert,
        freezeDraw,
        changeDraw,
        createActivity,
        changeActivity,
        createTrip,
        changeTrip,
        giveScore,
        freezeYear,
        correctScore,
        appealScore,
      ],
    },
  ],
  // A library of the site's own group, so that nobody else has a part in its rows.
  projectRows: async ({ pool, projectCode }) => {
    const of = `from tenant t where t.type = 3 and t.code = $1`
    const statements = [
      `insert into expert_library (group_id, name, area_front, is_open) select t.id, '样例库', 'zz', false ${of}`,
      `insert into expert (id, library_group, name, gender, birthday, id_card_number, id_card_hash, id_card_mask, phone, phone_hash, phone_mask, work_unit,
         title, title_major, specialties, degree, work_years, resume, written_by, state, valid_start, valid_end, create_time)
       select md5('expert ' || $1), t.id, '样例', '1', '1970-01-01', 'x', md5($1), '***', 'x', md5($1), '***', '样例院', '3', '结构', '{08}', '07', 20, '样例样例样例样例',
         'nobody', '1', current_date, current_date + 300, now() ${of}`,
      `insert into expert_cert (id, expert_id, seq, name, number) select md5('expert cert ' || $1), md5('expert ' || $1), 0, '样例', '1' ${of}`,
      `insert into expert_draw (id, code, library_group, organiser_group, organiser_name, groups, purpose, title, meeting_date, half, place, over_scale,
         hide_names, reply_hours, run, meeting, candidates, list_hash, commitment, frozen_at, frozen_name, create_by)
       select md5('expert draw ' || $1), 'ZJCQ-' || $1, t.id, t.id, t.name, array[t.id], '1', '样例', current_date + 3, 'am', '样例', false, true, 24, 1,
         md5('expert draw ' || $1), 1, 'x', 'x', now(), '样例', 'nobody' ${of}`,
      `insert into draw_run (id, kind, object_id, organiser_group, audience, list_text, list_hash, commitment, sealed_seed, frozen_at, frozen_by, frozen_name)
       select md5('draw run ' || $1), 'expertDraw', md5('expert draw ' || $1), t.id, array[t.id], '{"lots":[],"quotas":[],"perUnit":2}', 'x', 'x', 'x', now(),
         'nobody', '样例' ${of}`,
      `insert into expert_draw_seat (id, draw_id, groups, specialty, rank, expert_id, expert_name, work_unit, phone_mask, reply, meeting_date, half)
       select md5('expert seat ' || $1), md5('expert draw ' || $1), array[t.id], '08', 1, md5('expert ' || $1), '样例', '样例院', '***', 'invited',
         current_date + 3, 'am' ${of}`,
      `insert into expert_activity (id, code, library_group, organiser_group, organiser_name, groups, activity_type, title, date, half, place, content, over_scale,
         create_by, create_time)
       select md5('expert activity ' || $1), 'ZJHD-' || $1, t.id, t.id, t.name, array[t.id], '2', '样例', current_date, 'am', '样例', '样例', false, 'nobody',
         now() ${of}`,
      `insert into expert_activity_seat (id, activity_id, groups, expert_id, expert_name, work_unit, phone_hash, role, date, half)
       select md5('activity seat ' || $1), md5('expert activity ' || $1), array[t.id], md5('expert ' || $1), '样例', '样例院', 'x', '成员', current_date, 'am' ${of}`,
      `insert into expert_trip (id, library_group, expert_id, expert_name, activity_type, inviter, destination, start_date, end_date, payer, content, writer_id,
         writer_name, create_time)
       select md5('expert trip ' || $1), t.id, md5('expert ' || $1), '样例', '5', '样例', '420100', current_date, current_date, '1', '样例', 'nobody', '样例',
         now() ${of}`,
      `insert into expert_score (id, seat_id, activity_id, expert_id, library_group, organiser_group, organiser_name, year, presence, skill, opinion, fairness,
         discipline, total, by_id, by_name, at)
       select md5('expert score ' || $1), md5('activity seat ' || $1), md5('expert activity ' || $1), md5('expert ' || $1), t.id, t.id, t.name, 2025, 15, 15, 15,
         15, 15, 75, 'nobody', '样例', now() ${of}`,
    ]
    for (const statement of statements) await pool.query(statement, [projectCode])
  },
  owners: {
    expert: ofGroup('expert', 'library_group'),
    expertDraw: ofGroup('expert_draw', 'organiser_group'),
    expertSeat: ofParent('expert_draw_seat', 'draw_id', 'expert_draw'),
    expertActivity: ofGroup('expert_activity', 'organiser_group'),
    activitySeat: ofParent('expert_activity_seat', 'activity_id', 'expert_activity'),
    expertTrip: ofGroup('expert_trip', 'library_group'),
    expertScore: ofGroup('expert_score', 'organiser_group'),
  },
}
